// How much memory an iteration must move: the numbers that the headers of the kernels state.
#pragma once

#include <string>

#include "kernels/common.h"
#include "solver/case_file/config.hpp"

namespace perdure::compare {

/// What of a problem decides what must move.
struct ProblemTraits {
    int dimensions = 3;
    int factors = 0;          // right-hand sides that are scaled in time (heat)
    bool variable = false;    // coefficients vary from cell to cell
    bool convective = false;  // a face looks different from its two sides
    bool mixed = false;       // cycles in float32
    bool usual_cycle =
        true;              // of multigrid: V, two sweeps of Chebyshev, no level but the first solved directly
    int direct_steps = 0;  // transforms and products that solve level 0
    bool from_zero = true;  // the iteration starts from u = 0
};

/// `hierarchy`: of kernels that have cycles, else null.
ProblemTraits traits_of(const run_parameters_t &parameters, const Config &config,
                        const hierarchy_t *hierarchy);

/// Values of real_t per cell; zeros for a kernel that is not known here.
struct ValuesMoved {
    int per_iteration = 0;  // read and written
    int touched = 0;        // fields that those belong to: one read and written counts once
};

ValuesMoved values_moved(const std::string &kernel, const ProblemTraits &traits);

}  // namespace perdure::compare
