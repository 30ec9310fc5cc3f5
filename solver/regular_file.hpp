// Reads regular files only: opening a pipe could wait forever for its other end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>

namespace perdure {

/// What stands in place of a file: "a folder", "a pipe", "a socket", "a device".
std::string kind_of(std::filesystem::file_type type);

/// Thrown where a file was expected: what() says what is there.
class NotAFile : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The bytes of a regular file, at most `most` of them. Never waits. Throws NotAFile, or std::system_error where the file
/// cannot be opened or read.
std::string read_regular_file(const std::filesystem::path &path,
                              std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace perdure
