// Describes a CUDA device, and checks whether it can run perdure's kernels.
#pragma once

#include "solver/backends/backend.hpp"

namespace perdure::cuda {

/// `device` counts as CUDA does. Makes its context; what fails on the way becomes a reason in `refused`.
DeviceDescription describe(int device);

/// Throws Failure(device).
void describe_memory(int device, DeviceDescription &description);

}  // namespace perdure::cuda
