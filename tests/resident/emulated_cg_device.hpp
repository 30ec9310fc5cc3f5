// A device that runs resident conjugate gradients, and nothing else, on the host.
#pragma once

#include <cstdint>
#include <memory>

#include "solver/backends/backend.hpp"

namespace perdure::tests {

std::unique_ptr<Device> emulated_cg_device(int groups, std::int64_t shared_bytes = 232448);

}  // namespace perdure::tests
