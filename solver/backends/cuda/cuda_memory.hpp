// Memory of CUDA devices, and of the host where kernels can address it. Small blocks come out of larger ones that stay: to map memory for
// a device, or to take it away, slows down every kernel that runs there at that time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace perdure::cuda {

using DeviceMemory = std::shared_ptr<void>;
/// Page-locked memory of the host that kernels can address too.
using MappedMemory = std::unique_ptr<void, std::function<void(void *)>>;

/// Of the current device. All throw Failure(device).
DeviceMemory allocate_device(std::size_t bytes);
/// For members of an ensemble: a large block, too, stays until free_idle_blocks().
DeviceMemory allocate_for_member(std::size_t bytes);
MappedMemory allocate_mapped(std::size_t bytes);
/// For copies of members of an ensemble, of up to `largest_pinned_for_member`: it stays with the process.
inline constexpr std::size_t largest_pinned_for_member = std::size_t{1} << 20U;
MappedMemory allocate_pinned_for_member(std::size_t bytes);
/// Gives large blocks back to the current device that no member has at the moment.
void free_idle_blocks();
void *device_address(const MappedMemory &memory);

/// Zeros by the copy engine: setting memory is a kernel, which would wait until an ensemble under way leaves it a multiprocessor.
void zero_by_copies(void *to, std::size_t bytes, cudaStream_t stream);

}  // namespace perdure::cuda
