// The largest stable step of a system of equations, if it limits the case.
#pragma once

#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

/// Of the case's integrator; infinite of a case without a system and where nothing limits the steps that the case gives: where the system is not linear, steps that are
/// stable at time 0 may be unstable later and the reverse, and a step beyond that limit is a warning.
double stable_system_step(const Config &config, const Problem &problem, ProblemFindings &findings);

}  // namespace perdure
