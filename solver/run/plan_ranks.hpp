// Checks whether ranks (solver/ranks) can share a case: each needs a part of the grid.
#pragma once

#include "solver/backends/backend.hpp"
#include "solver/case_file/config.hpp"
#include "solver/run/plan_launch.hpp"

namespace perdure {

/// Cells that a phase looks away along the last axis.
int reach_of_phases(const Config &config);

/// Throws Failure(case_or_usage) where the processes that the launcher started cannot share a case on a grid of boxes, or on such a
/// device.
void check_ranks(int dimensions, const DeviceDescription &device, const LaunchPlan &plan);

}  // namespace perdure
