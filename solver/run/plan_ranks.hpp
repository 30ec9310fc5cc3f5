// Checks whether ranks (solver/ranks) can share a case: each needs a part of the grid, and phases that look no further than the next part.
#pragma once

#include "solver/case_file/config.hpp"
#include "solver/run/plan_launch.hpp"

namespace perdure {

/// Cells that a phase looks away along the last axis.
int reach_of_phases(const Config &config);

/// Throws Failure(case_or_usage) where the processes that the launcher started cannot share the case; `plan` with its method, boxes and reach.
void check_ranks(const Config &config, const DeviceDescription &device, const LaunchPlan &plan);

}  // namespace perdure
