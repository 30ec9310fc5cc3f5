#include "solver/file_descriptor.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

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

}  // namespace perdure
