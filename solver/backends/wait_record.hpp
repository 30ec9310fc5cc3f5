// What a wait that ran out left in the device's memory.
#pragma once

#include <string>

#include "solver/backends/backend.hpp"

namespace perdure {

/// Empty when no wait of the launches so far was abandoned; else who waited for whom, e.g. "group 0 gave up
/// waiting before phase 17; 2 of 8 groups never came: 1, 5". Between launches only. Throws Failure(device).
std::string describe_abandoned_wait(DeviceRun &run, int groups);

}  // namespace perdure
