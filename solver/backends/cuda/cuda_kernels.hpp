// Kernels of a CUDA device, compiled and loaded when a run needs them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

#include "solver/backends/kernel_variant.hpp"

namespace perdure::cuda {

/// What cudaLaunchKernel and cudaFuncGetAttributes take. Arguments of each kernel: run_parameters_t by value, then one pointer per
/// buffer. From the cache on disk where it is there (solver/backends/kernel_cache.hpp), else compiled, which a message on standard
/// error says. Throws Failure(device) where there is no compiler, and where it or the driver refuses the kernel.
const void *find_kernel(int device, const KernelVariant &variant);
/// Where the device finds its device_place_t (sync/dialect_cuda.h), of a variant for several devices, or its rank_place_t
/// (kernels/rank_place.h), of one for ranks.
void *find_device_place(int device, const KernelVariant &variant);
/// Of a variant for ranks with NVSHMEM, which has been started: before the first launch. Throws Failure(device).
void prepare_nvshmem(int device, const KernelVariant &variant);
/// Whether find_kernel() would find it without compiling it.
bool is_compiled(int device, const KernelVariant &variant);
/// The same kernel with clocks in it (kernels/part_times.h).
const void *find_instrumented_kernel(int device, const KernelVariant &variant);
/// Whether kernels of that name have a form with clocks.
bool can_be_instrumented(const std::string &kernel);
/// So much of a unit's memory may be asked for by launches of the kernel. Throws Failure(device).
void allow_shared_memory(const void *kernel, std::size_t bytes);
/// The node behind a batch of phases; takes run_state_t *, the number of phases and, with `loop`, the handle of
/// the WHILE node that it stands in.
const void *find_advance(bool loop);

/// For tests: resident kernels that are looked for from now on have this text before their own; empty: nothing.
void put_before_resident_kernels(const std::string &text);
/// For tests: all programs that were loaded.
std::vector<cudaLibrary_t> loaded_programs();

template <typename... Arguments>
const void *address(void (*kernel)(Arguments...)) {
    return reinterpret_cast<const void *>(kernel);
}

}  // namespace perdure::cuda
