// Host threads as a device: a group is a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "solver/backends/backend.hpp"

namespace perdure::host {

/// For tests: runs the groups of a launch one after the other, in an order drawn anew for each launch. Only
/// for launches of one phase.
std::unique_ptr<Device> shuffled_device(std::uint64_t seed);

}  // namespace perdure::host
