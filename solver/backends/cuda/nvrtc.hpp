// NVIDIA's run-time compiler, loaded when a kernel must be compiled. It needs no driver and no device.
#pragma once

#include <string>
#include <vector>

#include "solver/backends/kernel_cache.hpp"

namespace perdure::cuda {

/// "NVRTC 13.0" and the path it was loaded from. Throws Failure(device) where there is none, with what was looked for.
struct CompilerVersion {
    std::string name;
    std::string path;
};
CompilerVersion nvrtc_version();

/// Where a library of the CUDA toolkit may lie, in the order in which it is looked for.
std::vector<std::string> toolkit_places(const std::string &library);

/// CUDA's own headers, for the grid barrier of cooperative groups; empty where there are none.
const std::string &cuda_headers();

/// Compiles `text`, which includes files of sync/ and kernels/. `instances`: the kernels, as C++ names them. Throws
/// Failure(device) with the compiler's messages.
CompiledKernels compile(const std::string &text, const std::vector<std::string> &instances,
                        const std::vector<std::string> &options);

}  // namespace perdure::cuda
