// Kernels of streamed conjugate gradients: a part of those for conjugate gradients, compiled by itself.
#pragma once

#include <string>

#include "solver/case_file/precision.hpp"

namespace perdure::cuda {

/// As find_kernel of cuda_kernels.hpp.
const void *find_streamed_cg_kernel(const std::string &name, Precision precision);

}  // namespace perdure::cuda
