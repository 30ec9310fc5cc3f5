// The program that is compiled for a kernel.
#pragma once

#include <string>
#include <vector>

#include "solver/backends/compile_kernels.hpp"
#include "solver/backends/kernel_variant.hpp"

namespace perdure::cuda {

/// An option for code that nobody waits for.
inline constexpr const char *compile_quickly = "--Ofast-compile=max";

struct CudaProgram {
    std::string text;
    std::vector<std::string> instances;  // the kernels in it, as C++ names them
    std::vector<std::string> options;
    std::string instance;  // the one that was asked for
    std::string title;     // the kernel with its precision and form, for people
    std::string architecture;
    bool has_nvshmem = false;  // it is to be linked with that

    /// All that its code depends on, but the compiler.
    [[nodiscard]] std::string key() const;
};

/// `architecture`: as NVRTC takes it, sm_90. `instrumented`: with clocks in it (kernels/part_times.h). `before`: text before
/// everything else. Throws Failure(differs_or_internal) where there is no such kernel.
CudaProgram make_program(const KernelVariant &variant, bool instrumented, const std::string &architecture,
                         const std::string &before = "");

/// The programs of these kernels, of all where none is named, in all forms and precisions, each once.
std::vector<CudaProgram> all_programs(const std::string &architecture, const KernelsToCompile &what);

}  // namespace perdure::cuda
