// Computes how large steps may be that treat some terms of a system implicitly and the others explicitly.
#pragma once

#include "solver/methods/implicit_rule.hpp"
#include "solver/problem/problem.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {

struct DividedSteps {
    double step = 0.0;              // the largest that is stable, no longer than asked for
    double fastest_explicit = 0.0;  // the largest magnitude of an eigenvalue of the explicit terms, 1 / time
};

/// Von Neumann's analysis as in stability.hpp, of steps of equal size with both kinds of terms at once: implicit terms may damp what explicit ones
/// amplify, and the reverse. A step is stable where no wave grows more than twice as fast as it does by itself, up to what
/// its error makes of an oscillation: by a hundredth of its phase in a step, or less where the run lasts so long that this would make it ten times
/// as large. Steps up to `longest` are looked at, no longer than 1 / fastest_explicit where `automatic`.
/// Of a system that is not linear the values are those at the start; a fiftieth of the cells is left out as there, unless `automatic`.
DividedSteps stable_divided_steps(const System &system, const Grid &grid, const std::vector<Field> &initial,
                                  const std::vector<Samples> &coefficients, double start_time,
                                  double duration, const ImplicitRule &rule, double longest, bool automatic);

}  // namespace perdure::systems
