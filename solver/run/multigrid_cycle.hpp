// The list of phases that a multigrid run goes through: setup, true residual, cycle, and what the solver adds.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/run/multigrid_levels.hpp"

namespace perdure {

struct MultigridPhases {
    std::vector<phase_t> phases;
    std::vector<step_t> steps;
};

/// For conjugate gradients (kernels/cg_multigrid.h); sets the places in the hierarchy.
MultigridPhases cg_phases(hierarchy_t &hierarchy);

/// The weights of `sweeps` sweeps of Jacobi's method that make the Chebyshev polynomial on [top / ratio, top].
std::vector<double> chebyshev_weights(int sweeps, double top, double ratio);

}  // namespace perdure
