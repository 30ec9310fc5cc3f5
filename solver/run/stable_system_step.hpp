// How long the steps of a system of equations may be, where something limits those of the case.
#pragma once

#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

/// The largest stable step with the case's integrator; infinite of a case without a system and where nothing limits the steps that the case
/// gives: where the system is not linear, steps that are
/// stable at time 0 may be unstable later and the reverse, and a step beyond that limit is a warning. Of steps that follow waves, what limits them
/// besides.
double stable_system_step(const Config &config, const Problem &problem, ProblemFindings &findings);

/// The longest step that dt: auto takes where a method is stable with long steps of diffusion: the time in which the fastest of all other terms,
/// reactions and transport, changes a field e-fold, or an oscillation by a radian. Infinite for other methods and given steps.
double longest_automatic_step(const Config &config, const Problem &problem);

}  // namespace perdure
