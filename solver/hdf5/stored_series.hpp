// Reads back what a run has watched.
#pragma once

#include <filesystem>

#include "solver/output/series.hpp"

namespace perdure::hdf5 {

/// Fills in times, steps and the values of the variables that `series` names, and how many points each has, from /series of a result that
/// probe() has found sound. False where the file has no /series. Throws Error where a list is missing or of another length.
bool read_stored_series(const std::filesystem::path &result, Series &series);

}  // namespace perdure::hdf5
