// Samples what a case gives of a field by the keys of its equation.
#pragma once

#include <cstddef>

#include "solver/equations/equation.hpp"
#include "solver/problem/sample_values.hpp"

namespace perdure {

/// Field number `index` of the case's equation, with nothing sampled. Where the case gives a unit it is that of the first field, and
/// those of others are not known.
Field begin_field(const Config &config, std::size_t index);

/// What gives the part of a field that has this key of `problem`.
SampledPlace place_of(const Config &config, const char *key, const SamplePoints &cells);

/// Samples values that must be finite; true when all are.
bool sample_finite(const SampledPlace &place, ProblemFindings &findings, Samples &samples);

/// The same of values that may be NaN: earlier outputs hold NaN in cells that were left out.
bool sample_finite_or_nan(const SampledPlace &place, ProblemFindings &findings, Samples &samples);

/// Samples values that must be finite and not negative; true when all are.
bool sample_coefficient(const SampledPlace &place, ProblemFindings &findings, Samples &samples);

/// sigma, the capacity, the source, the velocity and the sides of `field`; false where something was found wrong.
bool sample_terms(const Config &config, const Grid &grid, const EquationField &equation,
                  ProblemFindings &findings, Field &field);

}  // namespace perdure
