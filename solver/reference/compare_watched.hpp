// Compares watched values with those that the reference computes from its own fields.
#pragma once

#include <cstddef>
#include <string>

#include "solver/output/series.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {

struct WatchedDifference {
    std::size_t values = 0;
    double largest = 0.0;  // relative, as below
    std::string name;      // of the variable in which it is
};

/// The last row of the series against integrals and values at probes of the reference's fields at that time. Differences are relative to
/// the value or, where that is smaller, to 1: what is 0 but for rounding agrees. A NaN agrees with a NaN alone.
/// Throws Failure(differs_or_internal) where the two have other variables.
WatchedDifference compare_watched(const Problem &problem, const Series &series,
                                  const reference::Answers &answers);

}  // namespace perdure
