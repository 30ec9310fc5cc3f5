#include "solver/backends/opencl/pocl_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <system_error>

#include <nlohmann/json.hpp>

#include "solver/backends/kernel_cache.hpp"
#include "solver/regular_file.hpp"

namespace perdure::opencl {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char *beginning = "pocl-";

/// Whoever has a folder holds its lock: what can be locked was left by a process that is gone.
FileDescriptor lock_folder(const fs::path &folder) {
    FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (opened.is_open() && flock(opened.number(), LOCK_EX | LOCK_NB) == 0) {
        return opened;
    }
    return FileDescriptor(-1);
}

void remove_abandoned(const fs::path &parent) {
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(parent, error)) {
        if (entry.path().filename().string().starts_with(beginning)) {
            const FileDescriptor lock = lock_folder(entry.path());
            if (lock.is_open()) {
                fs::remove_all(entry.path(), error);
            }
        }
    }
}

}  // namespace

PoclFolder::PoclFolder() : process_(getpid()) {
    const KernelCache cache;
    if (!cache.folder().empty()) {
        remove_abandoned(cache.folder());
        make_in(cache.folder());
    }
    std::error_code error;
    if (const fs::path temporary = fs::temp_directory_path(error); path_.empty() && !error) {
        make_in(temporary);
    }
}

PoclFolder::~PoclFolder() {
    remove();
}

void PoclFolder::remove() const {
    if (!path_.empty() && getpid() == process_) {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
}

/// Again where another process took it for an abandoned one before it was locked.
void PoclFolder::make_in(const fs::path &parent) {
    constexpr int most_attempts = 10;
    for (int attempt = 0; attempt < most_attempts && path_.empty(); ++attempt) {
        std::string name = (parent / (std::string(beginning) + "XXXXXX")).string();
        if (mkdtemp(name.data()) == nullptr) {
            return;
        }
        lock_.emplace(lock_folder(name));
        if (fs::exists(name)) {
            path_ = name;
        }
    }
}

std::set<fs::path> PoclFolder::programs() const {
    std::set<fs::path> programs;
    std::error_code error;
    for (const fs::directory_entry &first : fs::directory_iterator(path_, error)) {
        for (const fs::directory_entry &second : fs::directory_iterator(first.path(), error)) {
            programs.insert(fs::relative(second.path(), path_));
        }
    }
    return programs;
}

std::set<fs::path> PoclFolder::files_of(const std::set<fs::path> &programs) const {
    std::set<fs::path> files;
    std::error_code error;
    for (const fs::path &program : programs) {
        for (const fs::directory_entry &entry : fs::recursive_directory_iterator(path_ / program, error)) {
            if (entry.is_regular_file(error)) {
                files.insert(fs::relative(entry.path(), path_));
            }
        }
    }
    return files;
}

std::string PoclFolder::pack(const std::set<fs::path> &files) const {
    Json json = Json::object();
    for (const fs::path &file : files) {
        try {
            const std::string bytes = read_regular_file(path_ / file);
            json[file.string()] = Json::binary({bytes.begin(), bytes.end()});
        } catch (const std::exception &) {  // PoCL compiles it again
        }
    }
    const std::vector<std::uint8_t> packed = Json::to_cbor(json);
    return {packed.begin(), packed.end()};
}

std::set<fs::path> PoclFolder::unpack(const std::string &packed) const {
    std::set<fs::path> programs;
    try {
        const Json json = Json::from_cbor(packed);
        for (const auto &[name, content] : json.items()) {
            const fs::path file(name);
            programs.insert(*file.begin() / *std::next(file.begin()));
            write_new(file, content.get_binary());
        }
    } catch (const Json::exception &) {  // no pack
    }
    return programs;
}

/// Whole or not at all.
void PoclFolder::write_new(const fs::path &file, const std::vector<std::uint8_t> &bytes) const {
    const fs::path path = path_ / file;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (fs::exists(path, error)) {  // and may be in use
        return;
    }
    std::ofstream stream(path, std::ios::binary);
    stream.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) {
        fs::remove(path, error);
    }
}

std::shared_ptr<const PoclFolder> pocl_folder() {
    static const std::shared_ptr<const PoclFolder> made = [] {
        auto folder = std::make_shared<const PoclFolder>();
        if (!folder->path().empty()) {
            setenv("POCL_CACHE_DIR", folder->path().c_str(), 1);
        }
        return folder;
    }();
    [[maybe_unused]] static const int at_quick_exit = std::at_quick_exit([] { made->remove(); });
    return made;
}

}  // namespace perdure::opencl
