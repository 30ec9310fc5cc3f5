#include "solver/backends/kernel_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/cache_folder.hpp"
#include "solver/file_descriptor.hpp"
#include "solver/hash.hpp"
#include "solver/messages.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/regular_file.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uintmax_t most_bytes_of_user = std::uintmax_t{512} << 20U;
constexpr const char *extension = ".kernel";
constexpr std::size_t hash_digits = 32;

fs::path folder_of_user() {
    const fs::path folder = cache_folder();
    return folder.empty() ? fs::path() : folder / "kernels";
}

fs::path folder_of_build() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : program.parent_path().parent_path() / "share" / "perdure" / "kernels";
}

/// A file: the hash of what follows it, in digits, and {"key", "code", "symbols"} in CBOR.
std::string to_bytes(const std::string &key, const CompiledKernels &compiled) {
    Json json{{"key", hash_of(key)}, {"symbols", compiled.symbols}};
    json["code"] = Json::binary({compiled.code.begin(), compiled.code.end()});
    const std::vector<std::uint8_t> cbor = Json::to_cbor(json);
    const std::string content(cbor.begin(), cbor.end());
    return hash_of(content) + content;
}

std::optional<CompiledKernels> from_bytes(const std::string &key, const std::string &bytes) {
    if (bytes.size() <= hash_digits || bytes.substr(0, hash_digits) != hash_of(bytes.substr(hash_digits))) {
        return std::nullopt;
    }
    try {
        const Json json = Json::from_cbor(bytes.begin() + hash_digits, bytes.end());
        if (json.at("key") != hash_of(key)) {
            return std::nullopt;
        }
        const auto &code = json.at("code").get_binary();
        return CompiledKernels{{code.begin(), code.end()},
                               json.at("symbols").get<std::map<std::string, std::string>>()};
    } catch (const Json::exception &) {
        return std::nullopt;
    }
}

fs::path file_of(const fs::path &folder, const std::string &key) {
    return folder / (hash_of(key) + extension);
}

std::optional<CompiledKernels> read_entry(const std::string &key, const fs::path &file) {
    try {
        return from_bytes(key, read_regular_file(file));
    } catch (const std::exception &) {  // not there, or not to be read: it is compiled anew
        return std::nullopt;
    }
}

/// Held by the process that compiles a program. Where the file system knows no locks, every process compiles for itself.
class Lock {
  public:
    explicit Lock(const fs::path &path)
        : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
        using namespace std::chrono_literals;
        constexpr auto longest =
            5min;  // longer than any kernel takes: a process that was stopped holds nobody up for ever
        const auto begin = std::chrono::steady_clock::now();
        while (file_.is_open() && flock(file_.number(), LOCK_EX | LOCK_NB) != 0 &&
               (errno == EWOULDBLOCK || errno == EINTR) &&
               std::chrono::steady_clock::now() - begin < longest) {
            std::this_thread::sleep_for(20ms);
        }
    }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;
    ~Lock() {
        if (file_.is_open()) {
            unlink(path_.c_str());  // who waits for it has it open, and finds the entry
        }
    }

  private:
    fs::path path_;
    FileDescriptor file_;
};

}  // namespace

KernelCache::KernelCache() : KernelCache(folder_of_user(), most_bytes_of_user, folder_of_build()) {
    if (folder_.empty() && trouble_.empty()) {
        trouble_ = "neither XDG_CACHE_HOME nor HOME names a folder";
    }
}

KernelCache::KernelCache(fs::path folder, std::uintmax_t most_bytes, fs::path built)
    : folder_(std::move(folder)), most_bytes_(most_bytes), built_(std::move(built)) {
    if (!folder_.empty()) {
        prepare_folder();
    }
}

/// Code of another user is not to be run.
void KernelCache::prepare_folder() {
    std::error_code error;
    fs::create_directories(folder_.parent_path(), error);
    if (!error && mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) {
        error = std::error_code(errno, std::generic_category());
    }
    struct stat status {};
    if (!error && lstat(folder_.c_str(), &status) != 0) {
        error = std::error_code(errno, std::generic_category());
    }
    if (error) {
        trouble_ = fmt::format("cannot create '{}': {}", folder_.string(), error.message());
    } else if (!S_ISDIR(status.st_mode)) {
        trouble_ = fmt::format("'{}' is not a folder", folder_.string());
    } else if (status.st_uid != geteuid()) {
        trouble_ = fmt::format("'{}' belongs to another user", folder_.string());
    } else if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        trouble_ = fmt::format("other users may write to '{}'; restrict it with chmod 700", folder_.string());
    }
    if (!trouble_.empty()) {
        folder_.clear();
    }
}

std::optional<CompiledKernels> KernelCache::find(const std::string &key) const {
    for (const fs::path &folder : {folder_, built_}) {
        auto entry = folder.empty() ? std::nullopt : read_entry(key, file_of(folder, key));
        if (entry) {
            return entry;
        }
    }
    return std::nullopt;
}

bool KernelCache::has(const std::string &key) const {
    return find(key).has_value();
}

CompiledKernels KernelCache::get(const std::string &key, const std::function<CompiledKernels()> &compile,
                                 const std::function<bool(const CompiledKernels &)> &usable) {
    const auto find_usable = [&] {
        std::optional<CompiledKernels> entry = find(key);
        return entry && usable && !usable(*entry) ? std::nullopt : std::move(entry);
    };
    std::optional<CompiledKernels> found = find_usable();
    if (!found && folder_.empty()) {
        return compile();
    }
    if (!found) {
        const Lock lock(folder_ / (hash_of(key) + ".lock"));
        found = find_usable();
        if (!found) {
            found = compile();
            keep(key, *found);
        }
    }
    if (!folder_.empty()) {
        (void)utimensat(AT_FDCWD, file_of(folder_, key).c_str(), nullptr, 0);  // used now
    }
    return *found;
}

void KernelCache::keep(const std::string &key, const CompiledKernels &compiled) {
    if (folder_.empty()) {
        return;
    }
    try {
        const std::string bytes = to_bytes(key, compiled);
        replace_file(file_of(folder_, key), [&](const fs::path &temporary) {
            std::ofstream file(temporary, std::ios::binary);
            file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
            if (!file.flush()) {
                throw std::system_error(errno, std::generic_category());
            }
        });
        remove_oldest();
    } catch (const std::system_error &failed) {
        trouble_ = fmt::format("cannot write '{}': {}", folder_.string(), failed.code().message());
    }
}

void KernelCache::remove_oldest() const {
    struct Entry {
        fs::file_time_type used;
        std::uintmax_t bytes;
        fs::path path;
    };
    std::vector<Entry> entries;
    std::uintmax_t sum = 0;
    std::error_code error;
    for (const fs::directory_entry &found : fs::directory_iterator(folder_, error)) {
        std::error_code gone;
        Entry entry{found.last_write_time(gone), found.file_size(gone), found.path()};
        if (!gone && entry.path.extension() == extension) {
            sum += entry.bytes;
            entries.push_back(std::move(entry));
        }
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry &one, const Entry &other) { return one.used < other.used; });
    for (const Entry &entry : entries) {
        if (sum <= most_bytes_) {
            break;
        }
        fs::remove(entry.path, error);
        sum -= entry.bytes;
    }
}

void print_compiling(const std::string &kernel, const std::string &device, const KernelCache &cache) {
    print_notice("compiling kernel {} for {} ({})\n", kernel, device,
                 cache.trouble().empty() ? fmt::format("only once; it is kept in {}", cache.folder().string())
                                         : "it cannot be kept: " + cache.trouble());
}

}  // namespace perdure
