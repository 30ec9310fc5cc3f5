// Reads what a wait that timed out has recorded in the device's memory.
#pragma once

#include <string>
#include <vector>

#include "solver/backends/backend.hpp"

namespace perdure {

/// Empty when no wait of the launches so far was abandoned; else who waited for whom, e.g. "group 0 gave up
/// waiting before phase 17; 2 of 8 groups left no record (they never came, or had ended): 1, 5". Between
/// launches only. Throws Failure(device).
std::string describe_abandoned_wait(DeviceRun &run, int groups);

/// The same for a launch of `groups` of which only `members` wait for each other.
std::string describe_abandoned_wait(DeviceRun &run, int groups, const std::vector<int> &members);

}  // namespace perdure
