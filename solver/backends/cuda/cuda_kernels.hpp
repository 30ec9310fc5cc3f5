// Kernel texts compiled for CUDA.
#pragma once

#include <string>

#include "solver/case_file/config.hpp"

namespace perdure::cuda {

/// What cudaLaunchKernel and cudaFuncGetAttributes take; null when there is no kernel of that name. Arguments
/// of each: run_parameters_t by value, then one pointer per buffer.
const void *find_kernel(const std::string &name, Precision precision);

}  // namespace perdure::cuda
