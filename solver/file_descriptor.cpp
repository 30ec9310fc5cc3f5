#include "solver/file_descriptor.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <limits>

namespace perdure {

bool is_still_at(const FileDescriptor &open_file, const std::filesystem::path &path) {
    struct stat opened {};
    struct stat named {};
    return fstat(open_file.number(), &opened) == 0 && stat(path.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

std::string identity_of(const std::filesystem::path &path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) {
        return "";
    }
    return fmt::format("{}:{}:{}.{:09}", status.st_dev, status.st_ino, status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec);
}

std::size_t most_open_files() {
    static const std::size_t most = [] {
        rlimit limit{};
        if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
            return std::size_t{0};
        }
        const rlimit raised{limit.rlim_max, limit.rlim_max};
        if (limit.rlim_cur < limit.rlim_max && setrlimit(RLIMIT_NOFILE, &raised) == 0) {
            limit = raised;
        }
        return limit.rlim_cur == RLIM_INFINITY ? std::numeric_limits<std::size_t>::max()
                                               : static_cast<std::size_t>(limit.rlim_cur);
    }();
    return most;
}

}  // namespace perdure
