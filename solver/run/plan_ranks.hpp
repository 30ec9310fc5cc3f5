// Checks whether ranks (solver/ranks) can share a case: each needs a part of the grid.
#pragma once

#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/case_file/config.hpp"
#include "solver/run/plan_launch.hpp"

namespace perdure {

/// Cells that a phase looks away along the last axis.
int reach_of_phases(const Config &config);

/// Throws Failure(case_or_usage) where the processes that the launcher started cannot share a case on a grid of boxes, or on such a
/// device.
void check_ranks(const Config &config, const DeviceDescription &device, const LaunchPlan &plan);

/// What each rank of a launch holds of arrays with a value for each cell: its part and the cells near it that its phases look at.
struct HeldParts {
    std::vector<CellRange> cells;  // of this rank; none: all
    double largest = 1.0;          // part of the grid that a rank has, from 0 to 1
};

/// Those of the processes that share the case. All cells where the work before the phases needs them: levels of multigrid, of which each rank
/// makes the operators, images, and tensors; also on devices that hold no parts of arrays.
HeldParts held_parts(const Config &config, const DeviceDescription &device, const LaunchPlan &plan);

/// Cells whose initial values this process needs, for make_problem(); none: all. Rank 0 needs all, for what is made of them besides the run:
/// it has found them acceptable before the others begin.
std::vector<CellRange> cells_of_initial_values(const Config &config);

}  // namespace perdure
