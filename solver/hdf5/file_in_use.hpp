// Who keeps an HDF5 file locked.
#pragma once

#include <filesystem>
#include <string>

namespace perdure::hdf5 {

/// The process that has the file open for writing, as "process 4711 (python3)", or "another process" where the system does
/// not say which; empty where nobody locks the file.
std::string writer_of(const std::filesystem::path &file);

}  // namespace perdure::hdf5
