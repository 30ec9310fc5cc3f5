// The files in which PoCL keeps what it compiles. It trusts them, and ends the process where one is damaged or cannot be written: so
// it has a folder for this process alone, and perdure keeps the files with its other kernels.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace perdure::opencl {

/// Makes that folder, once for the process, which removes it at its end; it lies in the user's cache of kernels, or among temporary
/// files where that cannot be used. Why there is none, or empty. Call before the OpenCL library loads its drivers.
std::string prepare_pocl_folder();

/// The folders of programs in it, by their names there: PoCL makes one for each text and options.
std::set<std::filesystem::path> pocl_programs();

/// The files of programs: of their front end, and of each shape of groups in which a kernel of theirs was launched.
std::set<std::filesystem::path> pocl_files(const std::set<std::filesystem::path> &programs);
std::string pack_pocl_files(const std::set<std::filesystem::path> &files);

/// Puts the files there that are not, and returns the folders of their programs. What is no such pack, or cannot be written, is left
/// out: PoCL compiles it.
std::set<std::filesystem::path> unpack_pocl_files(const std::string &packed);

}  // namespace perdure::opencl
