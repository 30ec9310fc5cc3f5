// Describes a CUDA device, or several as one, and checks whether they can run perdure's kernels.
#pragma once

#include <span>

#include "solver/backends/backend.hpp"

namespace perdure::cuda {

/// `devices` count as CUDA does. Makes their contexts; what fails on the way becomes a reason in `refused`.
DeviceDescription describe(std::span<const int> devices);

/// Throws Failure(device).
void describe_memory(std::span<const int> devices, DeviceDescription &description);

}  // namespace perdure::cuda
