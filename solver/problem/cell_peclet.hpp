// Cell Peclet numbers of a problem with a velocity.
#pragma once

#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

/// h v / a along an axis; 0 where a = 0.
double cell_peclet(const Grid &grid, const Field &field, int axis, std::int64_t cell);

/// Adds a finding where nothing fixes the level of the solution. Returns a warning of the largest number above 2 under
/// central differences, which may oscillate there (Patankar 1980, section 5.2).
std::vector<Diagnostic> check_convection(const Grid &grid, const Field &field, const ActiveCells &active,
                                         const Config &config, ProblemFindings &findings);

}  // namespace perdure
