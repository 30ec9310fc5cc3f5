// A device that runs resident conjugate gradients, and nothing else, on the host.
#pragma once

#include <memory>

#include "solver/backends/backend.hpp"

namespace perdure::tests {

std::unique_ptr<Device> emulated_cg_device(int groups);

}  // namespace perdure::tests
