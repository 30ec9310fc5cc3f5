// Factors of time of sources and sides, in the steps of a run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "solver/run/time_steps.hpp"

namespace perdure {

/// Throws Failure(case_or_usage) at the source or side whose factor of time is not finite at some step.
void check_time_factors(const Config &config, const std::vector<TimeSegment> &segments);

/// A factor of time in each step of a segment, as the method takes it. Throws like evaluate_time_factor().
std::vector<double> factor_in_steps(const std::string &expression, const TimeSegment &segment,
                                    const Method &method);

/// Those of all steps of segments that follow each other, [steps][factors].
std::vector<double> table_of_factors(const std::vector<std::string> &expressions,
                                     std::span<const TimeSegment> segments, const Method &method);

/// For how many steps the device has room for so many factors: those of each segment, and where a launch goes on over several segments
/// (`has_ring`) up to 2^20 factors.
std::size_t rows_of_factors(std::size_t factors, const std::vector<TimeSegment> &segments, bool has_ring);

/// t in each step of a segment, behind `part` of the step: 0 is its start.
std::vector<double> step_times(const TimeSegment &segment, double part = 0.0);

}  // namespace perdure
