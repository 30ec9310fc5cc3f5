// The folder in which PoCL keeps what it compiles. It trusts the files there, and ends the process where one is damaged or cannot be
// written: so it has a folder for this process alone, and perdure keeps the files with its other kernels.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "solver/file_descriptor.hpp"

namespace perdure::opencl {

class PoclFolder {
  public:
    /// In the user's cache of kernels, or among temporary files where that cannot be used.
    PoclFolder();
    PoclFolder(const PoclFolder &) = delete;
    PoclFolder &operator=(const PoclFolder &) = delete;
    ~PoclFolder();

    /// Before the end of the process, where nothing is destroyed.
    void remove() const;

    /// Empty where no folder could be made.
    [[nodiscard]] const std::filesystem::path &path() const { return path_; }

    /// The folders of programs, by their names in this one: PoCL makes one for each text and options.
    [[nodiscard]] std::set<std::filesystem::path> programs() const;
    /// The files of programs: of their front end, and of each size of groups in which a kernel of theirs was launched.
    [[nodiscard]] std::set<std::filesystem::path> files_of(
        const std::set<std::filesystem::path> &programs) const;

    [[nodiscard]] std::string pack(const std::set<std::filesystem::path> &files) const;
    /// Puts the files there that are not, and returns the folders of their programs. What is no pack, or cannot be written, is left out:
    /// PoCL compiles it.
    [[nodiscard]] std::set<std::filesystem::path> unpack(const std::string &packed) const;

  private:
    void make_in(const std::filesystem::path &parent);
    void write_new(const std::filesystem::path &file, const std::vector<std::uint8_t> &bytes) const;

    std::filesystem::path path_;
    std::optional<FileDescriptor> lock_;  // held as long as it is in use
    pid_t process_;
};

/// That of this process, which is removed when it ends and nobody holds it any more. Sets POCL_CACHE_DIR: call before the OpenCL library
/// loads its drivers.
std::shared_ptr<const PoclFolder> pocl_folder();

}  // namespace perdure::opencl
