#include "solver/backends/cuda/memory_needed.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_shared_memory.hpp"
#include "solver/backends/cuda/mapped_range.hpp"
#include "solver/failure.hpp"

namespace perdure::cuda {
namespace {

constexpr std::size_t allocation_unit = 512;  // cudaMalloc rounds up to it

/// On the device that has most of it.
std::size_t occupied_bytes(const KernelCall &call, const std::optional<Partners> &partners) {
    const std::size_t devices = partners ? partners->parts().devices.size() : 1;
    std::size_t sum = 0;
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
        const std::size_t bytes = allocated_bytes(call.buffers[i], i, devices);
        if (!call.buffers[i].taken) {
            sum += partners ? most_on_a_device(partners->parts(), bytes)
                   : !call.buffers[i].held.empty()
                       ? sum_of(in_pages(call.buffers[i].held, page))
                       : (bytes + allocation_unit - 1) / allocation_unit * allocation_unit;
        }
    }
    return sum;
}

}  // namespace

std::size_t allocated_bytes(const KernelBuffer &buffer, std::size_t place, std::size_t devices) {
    const bool for_each = devices > 1 && place == buffer_sync;
    return std::max<std::size_t>(buffer.bytes, for_each ? devices * DEVICE_SYNC_BYTES : sizeof(double));
}

void refuse_too_large(const KernelCall &call, std::span<const int> devices,
                      const std::optional<Partners> &partners) {
    const std::size_t needed = occupied_bytes(call, partners);
    for (const int device : devices) {
        std::size_t free = 0;
        std::size_t total = 0;
        check(cudaSetDevice(device), "cudaSetDevice");
        check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
        if (needed > free) {
            throw Failure(
                ExitCode::device,
                fmt::format(
                    "the case needs {} bytes of device memory{}, but only {} of {} bytes are free on CUDA "
                    "device {}; use a smaller grid, execution.precision: float32 or another device",
                    needed, partners ? " on one of the devices" : "", free, total, device));
        }
    }
    check(cudaSetDevice(devices.front()), "cudaSetDevice");
}

}  // namespace perdure::cuda
