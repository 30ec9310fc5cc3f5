#pragma once

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp() is POSIX

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace perdure::tests {

/// An empty folder that goes when the test ends.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "perdure-test-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error("cannot create a temporary folder");
        }
        path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path &path() const { return path_; }
    std::filesystem::path operator/(const std::string &name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path &file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_bytes(const std::filesystem::path &file, const std::string &bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

/// Code and message of the Failure that `action` throws; a message that says so when it throws none.
template <typename Failure, typename Action>
std::pair<int, std::string> failure_of(Action action) {
    try {
        action();
    } catch (const Failure &failure) {
        return {static_cast<int>(failure.code()), failure.what()};
    }
    return {-1, "nothing was thrown"};
}

}  // namespace perdure::tests
