#include "solver/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "solver/file_descriptor.hpp"

namespace perdure {
namespace {

[[noreturn]] void fail(int error) {
    throw std::system_error(error, std::generic_category());
}

}  // namespace

std::string kind_of(std::filesystem::file_type type) {
    using Type = std::filesystem::file_type;
    switch (type) {
        case Type::regular:
            return "a file";
        case Type::directory:
            return "a folder";
        case Type::symlink:
            return "a symbolic link";
        case Type::fifo:
            return "a pipe";
        case Type::socket:
            return "a socket";
        case Type::character:
        case Type::block:
            return "a device";
        default:
            return "an unknown kind of file";
    }
}

std::string read_regular_file(const std::filesystem::path &path, std::size_t most) {
    // What was opened is looked at, not what has the name: it may change between two looks.
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (file.number() < 0 && errno == ENXIO) {
        throw NotAFile(kind_of(std::filesystem::file_type::socket));
    }
    struct stat status {};
    if (file.number() < 0 || fstat(file.number(), &status) != 0) {
        fail(errno);
    }
    if (!S_ISREG(status.st_mode)) {
        std::error_code error;
        throw NotAFile(kind_of(std::filesystem::status(path, error).type()));
    }
    std::string bytes;
    std::array<char, 65536> piece{};
    while (bytes.size() < most) {
        const ssize_t count = read(file.number(), piece.data(), std::min(piece.size(), most - bytes.size()));
        if (count < 0 && errno != EINTR) {
            fail(errno);
        }
        if (count == 0) {
            break;
        }
        bytes.append(piece.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    return bytes;
}

}  // namespace perdure
