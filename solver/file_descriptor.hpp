// Owns the file descriptor of an open file.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

namespace perdure {

/// Closes its file at the end of its life. Negative where no file could be opened.
class FileDescriptor {
  public:
    explicit FileDescriptor(int number) : number_(number) {}
    FileDescriptor(FileDescriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
    FileDescriptor(const FileDescriptor &) = delete;
    FileDescriptor &operator=(const FileDescriptor &) = delete;
    FileDescriptor &operator=(FileDescriptor &&) = delete;
    ~FileDescriptor() {
        if (number_ >= 0) {
            close(number_);
        }
    }
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

  private:
    int number_;
};

/// Whether `path` still leads to the file or folder that is open, and not to one that has taken its place.
bool is_still_at(const FileDescriptor &open_file, const std::filesystem::path &path);

/// How many files the process may have open. The first call raises the limit as far as the system allows.
std::size_t most_open_files();

/// Of what has this name, links not followed: another text where another file has come there or the file was changed. Empty where
/// there is nothing.
std::string identity_of(const std::filesystem::path &path);

}  // namespace perdure
