// Compiles kernels before the runs that need them.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/backends/kernel_cache.hpp"
#include "solver/backends/kernel_variant.hpp"
#include "solver/case_file/precision.hpp"

namespace perdure {

struct KernelsToCompile {
    std::vector<std::string> names;             // of solver/backends/kernel_catalog.hpp; empty: all
    std::optional<Precision> precision = {};    // all where it is not given
    std::filesystem::path folder;               // where code is kept; empty: in the user's cache
    bool several_devices = false;               // for cases that GPUs share: execution.devices
    RanksOfKernel ranks = RanksOfKernel::none;  // for cases that processes share, each on a GPU of its own
    bool only_check = false;  // nothing is kept, and code is not optimised where the compiler can do without
    int jobs = 1;             // programs that are compiled at the same time
};

struct CompiledProgram {
    std::string kernel;  // with its precision and form
    double seconds = 0.0;
    std::string failure;  // the compiler's messages; empty: it was compiled
};

/// Called after each program, by one thread at a time.
using ProgramDone = std::function<void(const CompiledProgram &)>;

/// Compiles every variant of the kernels for CUDA devices of the architecture, as NVRTC takes it (sm_90); needs NVRTC, but neither
/// driver nor device. Throws Failure(case_or_usage) for names that there are not, Failure(device) where there is no compiler.
void compile_cuda_kernels(const KernelsToCompile &what, const std::string &architecture,
                          const ProgramDone &done);

/// Compiles every variant of the kernels for the OpenCL device of that number, as runs with its usual size of groups take them;
/// PoCL compiles a part at the first launch. Returns the device's name. Throws Failure(case_or_usage) for names that there are not,
/// Failure(device) where there is no such device.
std::string compile_opencl_kernels(const KernelsToCompile &what, int device, const ProgramDone &done);

/// For back ends: a program, and what compiles it unless the cache has it.
struct ProgramToCompile {
    std::string title;
    std::function<void(KernelCache &)> compile;
};
/// Throws Failure(input_output) where nothing could be kept.
void compile_programs(const KernelsToCompile &what, const std::vector<ProgramToCompile> &programs,
                      const ProgramDone &done);
void check_kernel_names(const std::vector<std::string> &names);

}  // namespace perdure
