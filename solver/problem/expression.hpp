// Evaluates expressions of a case file. Their grammar is that of all formulas: solver/formulas.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/problem/problem.hpp"
#include "solver/problem/sample_points.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure {

/// Of x, y, z and random(seed) at the points, by all cores: one value where the expression is a number, else one per point; NaN or
/// infinite where it is undefined. `only`: the points that are needed, in order; the others get no value; none: all. Throws
/// Failure(case_or_usage) with every finding.
Samples values_of_expression(const FormulaText &expression, const SamplePoints &points,
                             std::span<const CellRange> only = {});

/// Calls use(chunk, first, values) with the values of an exact solution, of x, y, z and at a `time` of t, for chunks of the points that do
/// not depend on the number of cores: from several threads, `values` are those of the points from `first` on. Throws in the same way.
void for_chunks_of_exact(
    const FormulaText &exact, const SamplePoints &points, std::optional<double> time,
    const std::function<void(std::int64_t chunk, std::int64_t first, std::span<const double> values)> &use);

/// How many there are.
std::int64_t chunks_of(const SamplePoints &points);

/// Of t at the times. Throws in the same way.
std::vector<double> values_of_factor(const FormulaText &factor, const std::vector<double> &times);

}  // namespace perdure
