// How many iterations the runs of a contest have.
#pragma once

#include "solver/compare/contest.hpp"

namespace perdure::compare {

/// As many iterations as fill `enough_seconds` under the model that the others are compared with, starting
/// from `first`, so that models which launch check_every phases at once launch none in vain; or the number
/// that the task names. False when the contest has ended or nothing can run. Throws Failure(numerical) for a
/// case in which there is nothing to measure.
template <typename Real>
bool choose_length(Contest<Real> &contest, double enough_seconds, std::uint32_t first, RunLength &length);

extern template bool choose_length(Contest<float> &, double, std::uint32_t, RunLength &);
extern template bool choose_length(Contest<double> &, double, std::uint32_t, RunLength &);

}  // namespace perdure::compare
