#include "solver/file_descriptor.hpp"

#include <sys/stat.h>

namespace perdure {

bool is_still_at(const FileDescriptor &open_file, const std::filesystem::path &path) {
    struct stat opened {};
    struct stat named {};
    return fstat(open_file.number(), &opened) == 0 && stat(path.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace perdure
