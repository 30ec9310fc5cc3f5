// The numbers that the table of a sweep has of a member without effective properties.
#pragma once

#include "solver/output/solution.hpp"
#include "solver/problem/active_cells.hpp"

namespace perdure {

/// Of a run that has ended: the last values of the integrals that it watched; of one that watched none mean_FIELD, the mean of each field
/// over the cells that take part, with the same bits on any number of cores; NaN where a field is NaN in one of them.
OutcomeValues outcome_values(const Solution &solution, const std::vector<ActiveCells> &cells);

}  // namespace perdure
