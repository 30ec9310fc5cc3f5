#include "solver/output/data_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <system_error>
#include <tuple>
#include <vector>

#include "solver/equations/equation.hpp"
#include "solver/failure.hpp"
#include "solver/file_descriptor.hpp"
#include "solver/hash.hpp"
#include "solver/output/json_text.hpp"
#include "solver/problem/memory_arrays.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
namespace {

constexpr std::size_t read_at_once = 1 << 20;

/// Existing files behind the values of a case, sorted.
std::set<std::filesystem::path> files_of(const Config &config) {
    std::vector<const ValueSource *> sources;
    for (const auto &[key, value] : values_of(config)) {
        sources.push_back(value);
    }
    for (const SideConfig &side : config.sides) {
        sources.push_back(&side.values);
        sources.push_back(&side.coefficient);
    }
    if (config.velocity) {
        for (const ValueSource &component : config.velocity->components) {
            sources.push_back(&component);
        }
    }
    std::set<std::filesystem::path> files;
    for (const TimeTable &table : config.tables) {
        std::error_code error;
        files.insert(std::filesystem::weakly_canonical(table.file, error));
    }
    for (const ValueSource *source : sources) {
        if (!source->file.empty() && !is_of_memory(source->file)) {
            std::error_code error;
            files.insert(std::filesystem::weakly_canonical(source->file, error));
        }
    }
    return files;
}

/// `path, 1000 bytes, 1700000000000000000`
std::string describe_file_state(const std::filesystem::path &file) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(file, error);
    const auto changed = std::filesystem::last_write_time(file, error).time_since_epoch();
    return fmt::format("{}, {} bytes, {}", file.string(), bytes,
                       std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count());
}

/// Which file was opened, and in which state: a change of its bytes changes one of these.
using FileState = std::tuple<dev_t, ino_t, off_t, time_t, long, time_t, long>;

FileState state_of(const FileDescriptor &file) {
    struct stat is {};
    fstat(file.number(), &is);
    return {is.st_dev,          is.st_ino,         is.st_size,        is.st_mtim.tv_sec,
            is.st_mtim.tv_nsec, is.st_ctim.tv_sec, is.st_ctim.tv_nsec};
}

/// In hexadecimal; empty where the file cannot be read to its end.
std::string hash_of(const FileDescriptor &file) {
    Hash hash;
    std::vector<char> bytes(read_at_once);
    ssize_t count = 0;
    while ((count = read(file.number(), bytes.data(), bytes.size())) > 0) {
        hash.add({bytes.data(), static_cast<std::size_t>(count)});
    }
    return count < 0 ? std::string() : hash.text();
}

/// Members of a sweep read the same files: each state of a file is hashed once.
struct KnownHashes {
    std::mutex mutex;
    std::map<FileState, std::string> of_states;
    std::set<std::filesystem::path> paths;  // of files of which some state is known
};

KnownHashes &known_hashes() {
    static KnownHashes known;
    return known;
}

bool all_have_been_hashed(const std::set<std::filesystem::path> &files) {
    KnownHashes &known = known_hashes();
    const std::scoped_lock lock(known.mutex);
    return std::ranges::all_of(files, [&](const auto &file) { return known.paths.contains(file); });
}

/// Empty where the file cannot be read.
std::string hash_of_file(const std::filesystem::path &path) {
    KnownHashes &known = known_hashes();
    auto &hashes = known.of_states;
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.is_open()) {
        return {};
    }
    const std::scoped_lock lock(known.mutex);
    const FileState state = state_of(file);
    const auto [entry, is_new] = hashes.try_emplace(state);
    if (is_new) {
        known.paths.insert(path);
        entry->second = hash_of(file);
        if (state_of(file) != state) {
            hashes.erase(entry);
            throw Failure(
                ExitCode::bad_input,
                fmt::format(
                    "'{}' changed while it was read; run the case again when no program writes to the file",
                    path.string()));
        }
    }
    return entry->second;
}

/// Up to its last comma: the line of a file without its hash, or without the time before it.
std::string without_last(const std::string &line) {
    return line.substr(0, line.rfind(", "));
}

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

constexpr const char *before_hash = ", xxh3 ";

}  // namespace

std::string describe_data_files(const Config &config) {
    const TimeSpent::Scope reading(Activity::read);
    std::string text;
    for (const std::filesystem::path &file : files_of(config)) {
        const std::string hash = hash_of_file(file);
        text += fmt::format("{}{}{}\n", describe_file_state(file), before_hash, hash);
    }
    return text;
}

std::future<std::string> describe_meanwhile(const Config &config) {
    if (!all_have_been_hashed(files_of(config))) {
        return std::async(std::launch::async, [&config] { return describe_data_files(config); });
    }
    std::packaged_task<std::string()> now([&config] { return describe_data_files(config); });
    now();
    return now.get_future();
}

std::string unchanged(std::future<std::string> &description, const Config &config,
                      const std::string &case_name) {
    const TimeSpent::Scope reading(Activity::read);
    std::string before = description.get();
    if (describe_data_files(config) != before) {
        throw Failure(ExitCode::bad_input, fmt::format("{}: a data file changed while it was read; run the "
                                                       "case again when no program writes to the file",
                                                       case_name));
    }
    return before;
}

std::string difference_of_data_files(const std::string &recorded, const Config &config) {
    const TimeSpent::Scope reading(Activity::read);
    const std::vector<std::string> lines = lines_of(through_json(recorded));  // as one that was read back
    const auto files = files_of(config);
    if (lines.size() != files.size()) {
        return fmt::format("there are {}, not {}", files.size(), lines.size());
    }
    std::size_t index = 0;
    for (const std::filesystem::path &file : files) {
        const std::string &line = lines[index++];
        const std::size_t hash_at = line.rfind(before_hash);
        const std::string was = line.substr(0, hash_at);
        const std::string is = through_json(describe_file_state(file));
        if (was == is) {
            continue;
        }
        const std::string hash = hash_at == std::string::npos
                                     ? std::string()
                                     : line.substr(hash_at + std::string(before_hash).size());
        if (without_last(was) != without_last(is) || hash.empty() || hash != hash_of_file(file)) {
            std::error_code error;
            return fmt::format("'{}' {}", file.string(),
                               !std::filesystem::exists(file, error) ? "is not there"
                               : access(file.c_str(), R_OK) != 0     ? "cannot be read"
                                                                     : "is another");
        }
    }
    return {};
}

}  // namespace perdure
