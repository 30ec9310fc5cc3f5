// The list of phases that a multigrid run goes through: setup, true residual, cycle, and what the solver adds.
#pragma once

#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/run/multigrid_levels.hpp"

namespace perdure {

struct MultigridPhases {
    std::vector<phase_t> phases;
    std::vector<step_t> steps;
};

/// The phases of kernels/cg_multigrid.h; sets their places in the hierarchy.
/// `precondition`: cycles precondition gradients, else they are the iteration.
MultigridPhases multigrid_phases(const SolverConfig &solver, bool precondition, hierarchy_t &hierarchy);

/// Whether the grid itself is solved directly, so that nothing is left to cycles.
inline bool is_direct(const hierarchy_t &hierarchy) {
    return hierarchy.transformed != 0 && hierarchy.levels == 1;
}

}  // namespace perdure
