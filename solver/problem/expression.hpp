// Evaluates expressions of a case file. Their grammar is that of all formulas: solver/formulas.
#pragma once

#include <string>
#include <vector>

#include "solver/problem/problem.hpp"
#include "solver/problem/sample_points.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure {

/// Of x, y, z and random(seed) at the points, by all cores: one value where the expression is a number, else one per point; NaN or
/// infinite where it is undefined. Throws Failure(case_or_usage) with every finding.
Samples values_of_expression(const FormulaText &expression, const SamplePoints &points);

/// Of t at the times. Throws in the same way.
std::vector<double> values_of_factor(const FormulaText &factor, const std::vector<double> &times);

}  // namespace perdure
