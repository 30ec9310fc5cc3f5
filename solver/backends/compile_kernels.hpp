// Kernels compiled ahead of their runs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace perdure {

struct KernelsToCompile {
    std::vector<std::string> names;  // of solver/backends/kernel_catalog.hpp; empty: all
    std::string architecture;        // as NVRTC takes it: sm_90
    std::filesystem::path folder;    // where code is kept; empty: in the user's cache
    bool only_check = false;         // nothing is kept, and code is not optimised
    int jobs = 1;                    // programs that are compiled at the same time
};

struct CompiledProgram {
    std::string kernel;  // with its precision and form
    double seconds = 0.0;
    std::string failure;  // the compiler's messages; empty: it was compiled
};

/// Compiles every variant of the kernels for CUDA devices of the architecture; needs NVRTC, but neither driver nor device. `done`:
/// called after each, by one thread at a time. Throws Failure(case_or_usage) for names that there are not, Failure(device) where there
/// is no compiler.
void compile_cuda_kernels(const KernelsToCompile &what,
                          const std::function<void(const CompiledProgram &)> &done);

}  // namespace perdure
