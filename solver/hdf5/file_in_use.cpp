#include "solver/hdf5/file_in_use.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

namespace perdure::hdf5 {
namespace {

/// Of a line of /proc/locks, such as "1: FLOCK  ADVISORY  WRITE 4711 08:01:131084 0 EOF"; 0 where none is of this file.
long holder_of(const struct stat &status) {
    const std::string place =
        fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string number, kind, mode, access, found;
        long process = 0;
        words >> number >> kind >> mode >> access >> process >> found;
        if (kind == "FLOCK" && access == "WRITE" && found == place && process > 0) {
            return process;
        }
    }
    return 0;
}

}  // namespace

std::string writer_of(const std::filesystem::path &file) {
    const int descriptor = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return {};
    }
    struct stat status {};
    const bool locked =
        flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK && fstat(descriptor, &status) == 0;
    close(descriptor);
    if (!locked) {
        return {};
    }
    const long process = holder_of(status);
    if (process == 0) {
        return "another process";
    }
    std::string program;
    std::getline(std::ifstream(fmt::format("/proc/{}/comm", process)), program);
    return fmt::format("process {}{}", process, program.empty() ? "" : fmt::format(" ({})", program));
}

}  // namespace perdure::hdf5
