// Compiles programs to code that a device loads.
#pragma once

#include "solver/backends/cuda/cuda_program.hpp"
#include "solver/backends/kernel_cache.hpp"

namespace perdure::cuda {

/// By NVRTC; a program with NVSHMEM in it is then linked with that by nvJitLink, which is loaded when it is needed. Neither needs a device.
/// Throws Failure(device).
CompiledKernels compile(const CudaProgram &program);

}  // namespace perdure::cuda
