// Kernel texts compiled for host threads.
#pragma once

#include <string>

#include "kernels/parameters.h"
#include "solver/backends/backend.hpp"

namespace perdure::host {

/// Calls a kernel as one group: group_context_t of the calling thread says which.
using HostKernel = void (*)(const run_parameters_t &parameters, void *const *buffers);

/// Null when there is no kernel of that name.
HostKernel find_kernel(const std::string &name, Precision precision, KernelForm form);
/// The same kernel with clocks in it (kernels/part_times.h); null where there is none.
HostKernel find_instrumented_kernel(const std::string &name, Precision precision, KernelForm form);
/// The same among kernels/experiments/list.h alone.
HostKernel find_experiment(const std::string &name);

}  // namespace perdure::host
