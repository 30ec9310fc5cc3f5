// Finds the process that has an HDF5 file locked.
#pragma once

#include <filesystem>
#include <string>

#include "solver/failure.hpp"

namespace perdure::hdf5 {

/// The file cannot be opened at this moment: another program holds it, or its file system has no locks.
class InUse : public Failure {
  public:
    explicit InUse(const std::string &message) : Failure(ExitCode::input_output, message) {}
};

/// The process that has the file open for writing, as "process 4711 (python3)", or "another process" where the system does
/// not say which; empty where nobody locks the file.
std::string writer_of(const std::filesystem::path &file);

}  // namespace perdure::hdf5
