#include "solver/backends/cuda/cuda_describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_graph.hpp"
#include "solver/backends/cuda/cuda_shared_memory.hpp"
#include "solver/backends/cuda/nvrtc.hpp"

namespace perdure::cuda {
namespace {

int attribute(int device, cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
    return value;
}

std::string versions() {
    int driver = 0;
    int runtime = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    return fmt::format("CUDA driver {}, runtime {}", cuda_version(driver), cuda_version(runtime));
}

/// Two groups of a kernel with levels share a unit.
std::int64_t line_values(const cudaDeviceProp &properties) {
    constexpr std::int64_t of_kernel = 34816;  // its own arrays
    const auto of_group = static_cast<std::int64_t>(
        std::min(properties.sharedMemPerBlockOptin,
                 properties.sharedMemPerMultiprocessor / 2 - properties.reservedSharedMemPerBlock));
    return std::max<std::int64_t>(of_group - of_kernel, 0) / static_cast<std::int64_t>(sizeof(double));
}

void describe_hardware(int device, DeviceDescription &description) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    description.name = properties.name;
    description.driver = versions();
    description.memory_bytes = properties.totalGlobalMem;
    description.compute_units = properties.multiProcessorCount;
    description.shared_control = properties.canMapHostMemory != 0;
    description.copies_while_running = description.shared_control && properties.asyncEngineCount > 0;
    description.no_resident.clear();
    description.registers_per_unit = properties.regsPerMultiprocessor;
    description.cache_bytes = properties.l2CacheSize;
    description.shared_bytes_per_group = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
    description.line_values = line_values(properties);
    description.memory_by_launch = true;
    description.items_per_unit = properties.maxThreadsPerMultiProcessor;
    if (properties.major < 8) {
        description.refused.push_back(
            fmt::format("compute capability {}.{} is too low: perdure needs 8.0 or higher", properties.major,
                        properties.minor));
    }
    if (attribute(device, cudaDevAttrCooperativeLaunch) == 0) {
        description.refused.emplace_back(
            "no cooperative launch, so nothing guarantees that all groups run at the same time");
    }
    description.time_limited = attribute(device, cudaDevAttrKernelExecTimeout) != 0;
    if (description.time_limited) {
        description.notes.emplace_back(
            "drives a display, so the driver ends long kernels and launches are limited to 0.5 s");
    }
    if (!description.shared_control) {
        description.notes.emplace_back("no memory shared with the host during a launch");
    }
}

}  // namespace

void describe_memory(std::span<const int> devices, DeviceDescription &description) {
    std::size_t least_free = std::numeric_limits<std::size_t>::max();
    std::size_t least_total = least_free;
    for (const int device : devices) {
        check(cudaSetDevice(device), "cudaSetDevice");
        std::size_t free = 0;
        std::size_t total = 0;
        check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
        least_free = std::min(least_free, free);
        least_total = std::min(least_total, total);
    }
    description.free_bytes = devices.size() * least_free;  // each has an equal part
    description.largest_allocation = devices.size() * least_total;
}

namespace {

DeviceDescription describe_one(int device) {
    DeviceDescription description;
    description.backend = BackendChoice::cuda;
    description.name = fmt::format("CUDA device {}", device);
    description.gpu = true;
    description.clock = true;
    description.items_progress = true;
    description.cooperative_barrier = !cuda_headers().empty();
    description.groups_queue = true;
    description.no_graph.clear();
    try {
        describe_hardware(device, description);
        description.no_graph_while = why_no_graph_while();
        describe_memory({&device, 1}, description);
    } catch (const Failure &failure) {
        description.refused.emplace_back(failure.what());
    }
    return description;
}

}  // namespace

DeviceDescription describe(std::span<const int> devices) {
    DeviceDescription description = describe_one(devices.front());
    const auto count = static_cast<int>(devices.size());
    if (count == 1 || !description.refused.empty()) {
        return description;
    }
    for (const int device : devices.subspan(1)) {
        const DeviceDescription other = describe_one(device);
        description.refused.insert(description.refused.end(), other.refused.begin(), other.refused.end());
        if (other.refused.empty() && other.name != description.name) {
            description.refused.push_back(
                fmt::format("CUDA device {} is a {}, but device {} is a {}: one launch over several devices "
                            "needs equal ones",
                            devices.front(), description.name, device, other.name));
        }
        description.memory_bytes += other.memory_bytes;
    }
    if (description.refused.empty()) {
        if (const std::string reason = why_not_together(devices); !reason.empty()) {
            description.refused.push_back(reason);
        }
    }
    description.name = fmt::format("{} x {}", count, description.name);
    description.devices = count;
    description.compute_units *= count;
    description.cooperative_barrier = false;
    description.groups_queue = false;
    description.no_graph = "a launch graph is one device's";
    if (description.refused.empty()) {
        describe_memory(devices, description);
    }
    return description;
}

}  // namespace perdure::cuda
