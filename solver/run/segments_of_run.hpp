// The segments of a run in time, with fixed or adaptive steps.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/methods/method.hpp"
#include "solver/output/solution.hpp"
#include "solver/run/time_steps.hpp"

namespace perdure {

inline std::uint32_t phases_of_step(const Method &method, const TimeSegment &segment) {
    return segment.stages > 0 ? segment.stages : static_cast<std::uint32_t>(method.phases_per_iteration);
}

/// At the end of a segment of a launch that began with `before`, so many phases and entries of the history later, while it goes on.
run_state_t state_behind(const TimeSegment &segment, run_state_t before, std::uint32_t phases,
                         std::uint32_t history_length);

/// Whether the last step of a run that chooses its steps ended a segment, behind which another one begins.
bool is_at_snapshot(const std::vector<TimeSegment> &segments, const run_state_t &state);

/// Steps rejected and sizes of those made, of a run that chooses them; `in_launch`: the device goes on meanwhile.
void report_chosen_steps(const Method &method, const run_state_t &state, const KernelCall &call,
                         DeviceRun &run, bool in_launch, Report &report);

}  // namespace perdure
