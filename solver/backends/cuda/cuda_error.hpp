// Checks the result of every CUDA call.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>

namespace perdure::cuda {

/// CUDA's text for an error, and what it means for the user where that can be said.
std::string explain(cudaError_t error);

/// Throws Failure(device) that names the call unless `error` is cudaSuccess.
void check(cudaError_t error, std::string_view call);

}  // namespace perdure::cuda
