#pragma once

#include <string>

namespace perdure::hdf5 {

/// `HDF5 1.10.8, Eigen 3.4.0, ...`: the libraries and the compiler behind a result, for its report.
std::string library_versions();

}  // namespace perdure::hdf5
