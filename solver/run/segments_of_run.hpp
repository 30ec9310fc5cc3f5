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

/// Whether the steps of its segments are those that it makes, each so many phases.
inline bool knows_its_steps(const Method &method) {
    return !method.chooses_steps && method.implicit == nullptr;
}

inline std::uint32_t phases_of_step(const Method &method, const TimeSegment &segment) {
    return segment.stages > 0 ? segment.stages : static_cast<std::uint32_t>(method.phases_per_iteration);
}

/// The first phase of a segment and the one behind its last. Of a run that chooses its steps nobody knows the last; the kernel stops at
/// the segment's end.
std::pair<std::uint32_t, std::uint32_t> phases_of_segment(const Method &method, const TimeSegment &segment,
                                                          const run_state_t &state);

/// At the end of a segment of a launch that began with `before`, so many phases and entries of the history later, while it goes on.
run_state_t state_behind(const TimeSegment &segment, run_state_t before, std::uint32_t phases,
                         std::uint32_t history_length);

/// Where the run stopped within a segment.
double time_reached(const Method &method, const TimeSegment &segment, const run_state_t &state);

/// Steps rejected and sizes of those made, of a run that chooses them.
void report_chosen_steps(const Method &method, const run_state_t &state, const KernelCall &call,
                         DeviceRun &run, Report &report);

}  // namespace perdure
