// Checks the exact solution that a case gives.
#pragma once

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

/// The exact solution of the case parses, and at the start and the end of the run it is finite in every cell that takes part.
void check_exact(const Config &config, const Grid &grid, const ActiveCells &active,
                 ProblemFindings &findings);

}  // namespace perdure
