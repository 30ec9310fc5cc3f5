// Memory that lies on several devices, and that all of them address alike.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "solver/backends/cuda/cuda_memory.hpp"

namespace perdure::cuda {

/// Devices, and where in every array the parts of all but the first begin, from 0 to 1.
struct DeviceParts {
    std::span<const int> devices;
    std::vector<double> cuts;
};

/// One range of addresses. Each array in it, of those that begin at `arrays` bytes, or all of it, lies in parts on the devices, in their
/// order, as far as pages of 2 MiB allow. Every device may load and store all of it. Throws Failure(device), also where memory runs out.
DeviceMemory allocate_over(const DeviceParts &parts, std::size_t bytes, std::span<const std::size_t> arrays);
/// About what allocate_over() takes of the device with the largest part, in whole pages.
std::size_t most_on_a_device(const DeviceParts &parts, std::size_t bytes);

/// Why launches over these devices are impossible; empty: they are possible.
std::string why_not_together(std::span<const int> devices);

}  // namespace perdure::cuda
