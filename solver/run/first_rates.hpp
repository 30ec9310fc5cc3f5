// Checks whether a system can take a step from its initial values.
#pragma once

#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

/// A finding for each field whose rate at time 0 is not finite in a cell, with the first such cell: division by 0, the logarithm of a
/// negative number. Cells whose formulas look beyond a side that is not periodic are left out.
void check_first_rates(const Config &config, const Problem &problem, ProblemFindings &findings);

}  // namespace perdure
