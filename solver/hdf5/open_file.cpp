#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/failure.hpp"
#include "solver/hdf5/file_in_use.hpp"
#include "solver/hdf5/open_dataset.hpp"
#include "solver/regular_file.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::size_t most_names_listed = 10000;

std::vector<std::string> names_in(const std::filesystem::path &folder) {
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error);
    const std::filesystem::directory_iterator end;
    while (!error && entry != end && names.size() < most_names_listed) {
        names.push_back(entry->path().filename().string());
        entry.increment(error);
    }
    return names;
}

/// HDF5 locks files that it reads, too (flock).
void refuse_locked(const Error &error, const std::string &name) {
    const std::string reason = error.what();
    const auto says = [&](const char *text) { return reason.find(text) != std::string::npos; };
    if (says(std::generic_category().message(EAGAIN).c_str())) {
        throw InUse(fmt::format(
            "'{}' is in use by another program that writes it or has locked it; wait until that program has "
            "ended (fuser {} shows which one it is). If no program uses the file, for example because locks "
            "do not work on its file system, set HDF5_USE_FILE_LOCKING=FALSE in the environment",
            name, name));
    }
    if (says("already open for")) {
        throw InUse(
            fmt::format("'{}' is in use by another program that writes it, or such a program was killed; "
                        "wait until it has ended. If no program uses the file, run: h5clear -s {}",
                        name, name));
    }
    if (says(std::generic_category().message(ENOLCK).c_str()) ||
        says(std::generic_category().message(EOPNOTSUPP).c_str()) ||
        says(std::generic_category().message(ENOSYS).c_str())) {
        throw InUse(
            fmt::format("cannot lock '{}', because its file system has no locks; set "
                        "HDF5_USE_FILE_LOCKING=FALSE in the environment",
                        name));
    }
}

}  // namespace

void require_file(const std::filesystem::path &file) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (std::filesystem::is_regular_file(status)) {
        return;
    }
    if (std::filesystem::exists(status)) {
        throw Failure(ExitCode::input_output,
                      fmt::format("'{}' is {}; expected a file", file.string(), kind_of(status.type())));
    }
    if (status.type() != std::filesystem::file_type::not_found) {
        throw Failure(ExitCode::input_output,
                      fmt::format("cannot examine '{}': {}", file.string(), error.message()));
    }
    const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    std::string message = fmt::format("there is no file '{}'", file.string());
    const std::string suggestion = closest(file.filename().string(), names_in(folder));
    if (!std::filesystem::is_directory(folder, error)) {
        message += fmt::format("; its folder '{}' does not exist either", folder.string());
    } else if (!suggestion.empty()) {
        message += fmt::format("; did you mean '{}'?", (file.parent_path() / suggestion).string());
    }
    throw Failure(ExitCode::input_output, message);
}

std::string unreadable_text(const std::filesystem::path &file, const std::string &damaged,
                            const std::string &reason) {
    const std::string name = file.string();
    if (reason.find("version number") == std::string::npos) {
        return fmt::format("'{}' is {}: {}", name, damaged, reason);
    }
    return fmt::format(
        "'{}' is not readable by HDF5 {}.{}, the library of perdure: {}. The file is of a later library, or "
        "damaged. Convert it with the program h5repack of that library: h5repack --high=2 '{}' NEW.h5 (2 "
        "stands for "
        "version 1.10), or write it with libver=('earliest', 'v110') in h5py",
        name, H5_VERS_MAJOR, H5_VERS_MINOR, reason, name);
}

File open_file(const std::filesystem::path &file) {
    const LibraryLock lock;
    prepare_library();
    require_file(file);
    const std::string name = file.string();
    const htri_t is_hdf5 = H5Fis_hdf5(name.c_str());
    if (is_hdf5 == 0) {
        throw Failure(ExitCode::input_output, fmt::format("'{}' is not an HDF5 file", name));
    }
    try {
        check(is_hdf5, "open it");
        return {[&] { return H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT); }, "open it"};
    } catch (const Error &error) {
        const std::string writer = writer_of(file);
        if (!writer.empty()) {
            throw InUse(
                fmt::format("'{}' is in use: {} has it open for writing; try again after it has closed the "
                            "file, or read a copy",
                            name, writer));
        }
        refuse_locked(error, name);
        throw Failure(ExitCode::input_output,
                      unreadable_text(file, "truncated, damaged or not readable", error.what()));
    }
}

}  // namespace perdure::hdf5
