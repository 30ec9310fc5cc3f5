// What a run in time asks of its segments, whether it is given its steps or chooses them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "solver/backends/backend.hpp"
#include "solver/methods/method.hpp"
#include "solver/output/solution.hpp"
#include "solver/run/time_steps.hpp"

namespace perdure {

/// The first phase of a segment and the one behind its last. Of a run that chooses its steps nobody knows the last; the kernel stops at
/// the segment's end.
std::pair<std::uint32_t, std::uint32_t> phases_of_segment(const Method &method, const TimeSegment &segment,
                                                          const run_state_t &state);

/// Where the run stopped within a segment.
double time_reached(const Method &method, const TimeSegment &segment, const run_state_t &state);

/// Steps rejected and sizes of those made, of a run that chooses them.
void report_chosen_steps(const Method &method, const run_state_t &state, const KernelCall &call,
                         DeviceRun &run, Report &report);

}  // namespace perdure
