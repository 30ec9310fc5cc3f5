#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "solver/file_descriptor.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

Handle without_lock() {
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "open a file");
    check(H5Pset_file_locking(access, false, true), "open a file");
    return access;
}

}  // namespace

// check() stands in the lambdas: closing the property list would clear the reason of a failure.
File create_file(const std::filesystem::path &path) {
    const std::string action = "create the file";
    return {[&] { return check(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, without_lock()), action); },
            action};
}

File open_own_file(const std::filesystem::path &path) {
    const std::string action = "open '" + path.string() + "'";
    return {[&] { return check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, without_lock()), action); }, action};
}

File open_for_more(const std::filesystem::path &path) {
    const std::string action = "open '" + path.string() + "'";
    return {[&] { return check(H5Fopen(path.c_str(), H5F_ACC_RDWR, without_lock()), action); }, action};
}

void create_file_of(const std::filesystem::path &path, std::span<const unsigned char> bytes) {
    const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.is_open()) {
        throw std::system_error(errno, std::generic_category());
    }
    while (!bytes.empty()) {
        const ssize_t written = write(file.number(), bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            throw std::system_error(errno, std::generic_category());
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

}  // namespace perdure::hdf5
