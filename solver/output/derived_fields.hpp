// Fields in a result that are computed from the solved fields.
#pragma once

#include "solver/case_file/config.hpp"
#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Adds to `solution`, which holds the problem's fields in their order, those derived fields of the equation that the case names.
void add_derived_fields(const Config &config, const Problem &problem, Solution &solution);

}  // namespace perdure
