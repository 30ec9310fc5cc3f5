// Builds the problem of a system of equations, with the initial values of its fields in every cell.
#pragma once

#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

/// Adds fields and coefficients to the problem, whose grid is known. Wrong values become findings.
void make_system_problem(const Config &config, ProblemFindings &findings, Problem &problem);

}  // namespace perdure
