// Measures how many groups a device runs at the same time, for devices that do not report it.
#pragma once

#include <string>

#include "solver/backends/backend.hpp"

namespace perdure {

struct Discovery {
    std::string failure;  // empty: all that were found took part in every barrier
    int groups = 0;       // that ran at the same time
    bool wrong = false;   // they met, and read wrong values behind a barrier: the device cannot be trusted
};

/// Launches `launched` groups of kernels/experiments/discover_groups.h; those that run at once meet in
/// `rounds` rounds of two barriers. What is found holds for this launch: nothing promises a later one as many.
Discovery discover_groups(Device &device, int launched, int group_size, std::uint32_t rounds);

}  // namespace perdure
