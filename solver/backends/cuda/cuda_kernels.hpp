// Kernel texts compiled for CUDA.
#pragma once

#include <string>

#include "solver/backends/kernel_form.hpp"
#include "solver/case_file/precision.hpp"

namespace perdure::cuda {

/// What cudaLaunchKernel and cudaFuncGetAttributes take; null when there is no kernel of that name. Arguments
/// of each: run_parameters_t by value, then one pointer per buffer.
const void *find_kernel(const std::string &name, Precision precision, KernelForm form);
/// The same kernel with clocks in it (kernels/part_times.h); null where there is none.
const void *find_instrumented_kernel(const std::string &name, Precision precision, KernelForm form);
/// The same among those that do not depend on real_t.
const void *find_untyped_kernel(const std::string &name);
/// The same among kernels/resident alone.
const void *find_resident_kernel(const std::string &name, Precision precision);
const void *find_resident_cg_kernel(const std::string &name, Precision precision);
/// Where a test puts kernels of its own in place of those of the same name; null: nowhere.
using KernelFinder = const void *(*)(const std::string &, Precision);
extern KernelFinder finder_of_tests;
/// The same among kernels/experiments/list.h alone.
const void *find_experiment(const std::string &name);

/// The node behind a batch of phases; takes run_state_t *, the number of phases and, with `loop`, the handle of
/// the WHILE node that it stands in.
const void *find_advance(bool loop);

template <typename... Arguments>
const void *address(void (*kernel)(Arguments...)) {
    return reinterpret_cast<const void *>(kernel);
}

}  // namespace perdure::cuda
