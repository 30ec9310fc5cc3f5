// What a CUDA device is and whether it can run perdure's kernels.
#pragma once

#include "solver/backends/backend.hpp"

namespace perdure::cuda {

/// `device` counts as CUDA does. Makes its context; what fails on the way becomes a reason in `refused`.
DeviceDescription describe(int device);

}  // namespace perdure::cuda
