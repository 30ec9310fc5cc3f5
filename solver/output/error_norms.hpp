// Norms of the error of a field against its exact solution, on the host.
#pragma once

#include "solver/output/solution.hpp"
#include "solver/problem/active_cells.hpp"

namespace perdure {

/// Of u - exact over the cells that take part, with the same bits on any number of cores; NaN where u is NaN in one of them. `exact` is a
/// formula that make_problem() has accepted. `time`: none of a steady problem.
ErrorNorms error_norms(const FormulaText &exact, const Grid &grid, const ActiveCells &cells,
                       const FieldResult &u, std::optional<double> time);

}  // namespace perdure
