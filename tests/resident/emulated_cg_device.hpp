// A device that runs resident conjugate gradients, and nothing else, on the host.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "solver/backends/backend.hpp"

namespace perdure::tests {

std::unique_ptr<Device> emulated_cg_device(int groups, std::int64_t shared_bytes = 232448);

/// While true groups wait for random times before they send or look for words.
inline std::atomic<bool> emulated_delays = false;

}  // namespace perdure::tests
