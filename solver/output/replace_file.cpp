#include "solver/output/replace_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace perdure {
namespace {

constexpr const char *partial = ".partial-";

void sync_to_disk(const std::filesystem::path &path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        throw std::system_error(errno, std::generic_category());
    }
    const bool synced = fsync(descriptor) == 0;
    const int error = errno;
    close(descriptor);
    if (!synced && error != EINVAL && error != ENOTSUP) {  // folders of some file systems cannot be synced
        throw std::system_error(error, std::generic_category());
    }
}

}  // namespace

void replace_file(const std::filesystem::path &path,
                  const std::function<void(const std::filesystem::path &)> &write) {
    std::filesystem::path temporary = path;
    temporary += fmt::format("{}{}", partial, getpid());
    try {
        std::filesystem::remove(temporary);
        write(temporary);
        sync_to_disk(temporary);
        std::filesystem::rename(temporary, path);
    } catch (...) {
        std::error_code ignored;
        std::filesystem::resize_file(temporary, 0, ignored);  // whoever still has it open holds no space
        std::filesystem::remove(temporary, ignored);
        throw;
    }
    sync_to_disk(path.has_parent_path() ? path.parent_path() : std::filesystem::path("."));
}

std::string abandoned_target(const std::filesystem::path &file) {
    const std::string name = file.filename().string();
    const std::size_t end = name.rfind(partial);
    if (end == std::string::npos) {
        return {};
    }
    const long writer = std::strtol(name.c_str() + end + std::strlen(partial), nullptr, 10);
    const bool running = writer > 0 && (kill(static_cast<pid_t>(writer), 0) == 0 || errno != ESRCH);
    return running ? std::string() : name.substr(0, end);
}

}  // namespace perdure
