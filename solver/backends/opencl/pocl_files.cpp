#include "solver/backends/opencl/pocl_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/backends/kernel_cache.hpp"
#include "solver/file_descriptor.hpp"
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

class ProcessFolder {
  public:
    ProcessFolder() {
        const KernelCache cache;
        if (!cache.folder().empty()) {
            remove_abandoned(cache.folder());
            make_in(cache.folder());
        }
        std::error_code error;
        if (const fs::path temporary = fs::temp_directory_path(error); path_.empty() && !error) {
            make_in(temporary);
        }
        if (!path_.empty()) {
            setenv("POCL_CACHE_DIR", path_.c_str(), 1);
        }
    }
    ProcessFolder(const ProcessFolder &) = delete;
    ProcessFolder &operator=(const ProcessFolder &) = delete;
    ~ProcessFolder() {
        if (!path_.empty() && getpid() == process_) {
            std::error_code ignored;
            fs::remove_all(path_, ignored);
        }
    }
    [[nodiscard]] const fs::path &path() const { return path_; }

  private:
    /// Again where another process took it for an abandoned one before it was locked.
    void make_in(const fs::path &parent) {
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

    fs::path path_;
    std::optional<FileDescriptor> lock_;
    pid_t process_ = getpid();
};

const fs::path &folder() {
    static const ProcessFolder made;
    return made.path();
}

/// Whole or not at all.
void write_new(const fs::path &file, const std::vector<std::uint8_t> &bytes) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (fs::exists(file, error)) {  // and may be in use
        return;
    }
    std::ofstream stream(file, std::ios::binary);
    stream.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) {
        fs::remove(file, error);
    }
}

}  // namespace

std::string prepare_pocl_folder() {
    return !folder().empty() ? ""
                             : "PoCL needs a folder for temporary files, and none could be made; set TMPDIR "
                               "to one that can be written";
}

std::set<fs::path> pocl_programs() {
    std::set<fs::path> programs;
    std::error_code error;
    for (const fs::directory_entry &first : fs::directory_iterator(folder(), error)) {
        for (const fs::directory_entry &second : fs::directory_iterator(first.path(), error)) {
            programs.insert(fs::relative(second.path(), folder()));
        }
    }
    return programs;
}

std::set<fs::path> pocl_files(const std::set<fs::path> &programs) {
    std::set<fs::path> files;
    std::error_code error;
    for (const fs::path &program : programs) {
        for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder() / program, error)) {
            if (entry.is_regular_file(error)) {
                files.insert(fs::relative(entry.path(), folder()));
            }
        }
    }
    return files;
}

std::string pack_pocl_files(const std::set<fs::path> &files) {
    Json json = Json::object();
    for (const fs::path &file : files) {
        const std::string bytes = read_regular_file(folder() / file);
        json[file.string()] = Json::binary({bytes.begin(), bytes.end()});
    }
    const std::vector<std::uint8_t> packed = Json::to_cbor(json);
    return {packed.begin(), packed.end()};
}

std::set<fs::path> unpack_pocl_files(const std::string &packed) {
    std::set<fs::path> programs;
    try {
        const Json json = Json::from_cbor(packed);
        for (const auto &[name, content] : json.items()) {
            const fs::path file(name);
            programs.insert(*file.begin() / *std::next(file.begin()));
            write_new(folder() / file, content.get_binary());
        }
    } catch (const Json::exception &) {  // no pack
    }
    return programs;
}

}  // namespace perdure::opencl
