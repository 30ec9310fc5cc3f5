#include "tests/fuzz/scratch_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

namespace perdure::fuzz {
namespace {

/// Removes what a process that crashed could not remove.
void remove_abandoned(const std::filesystem::path &parent) {
    const std::string prefix = "perdure-fuzz-";
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(parent, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) &&
            !std::filesystem::exists("/proc/" + name.substr(prefix.size()), error)) {
            std::filesystem::remove_all(entry.path(), error);
        }
    }
}

struct Scratch {
    std::filesystem::path path{fmt::format("/dev/shm/perdure-fuzz-{}", getpid())};
    Scratch() {
        remove_abandoned(path.parent_path());
        std::filesystem::create_directories(path);
    }
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

}  // namespace

const std::filesystem::path &scratch_folder() {
    static const Scratch scratch;
    return scratch.path;
}

std::filesystem::path put_file(const std::string &name, std::span<const std::uint8_t> bytes) {
    auto path = scratch_folder() / name;
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
        throw std::system_error(errno, std::generic_category(), "cannot write " + path.string());
    }
    close(file);
    return path;
}

}  // namespace perdure::fuzz
