// Factors of time of sources and sides, in the steps of a run.
#pragma once

#include <string>
#include <vector>

#include "solver/run/time_steps.hpp"

namespace perdure {

/// Throws Failure(case_or_usage) at the source or side whose factor of time is not finite at some step.
void check_time_factors(const Config &config, const std::vector<TimeSegment> &segments);

/// A factor of time in each step of a segment, as the method takes it. Throws like evaluate_time_factor().
std::vector<double> factor_in_steps(const std::string &expression, const TimeSegment &segment,
                                    const Method &method);

/// t in each step of a segment, behind `part` of the step: 0 is its start.
std::vector<double> step_times(const TimeSegment &segment, double part = 0.0);

}  // namespace perdure
