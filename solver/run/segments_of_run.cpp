#include "solver/run/segments_of_run.hpp"

#include <limits>

#include "kernels/system_setup.h"
#include "solver/run/work_done.hpp"
#include "solver/time_spent.hpp"

namespace perdure {

std::pair<std::uint32_t, std::uint32_t> phases_of_segment(const Method &method, const TimeSegment &segment,
                                                          const run_state_t &state) {
    if (method.chooses_steps) {
        return {state.control.phases, std::numeric_limits<std::uint32_t>::max()};
    }
    const std::uint32_t phases = phases_of_step(method, segment);
    return {segment.first_step * phases, (segment.first_step + segment.steps) * phases};
}

run_state_t state_behind(const TimeSegment &segment, run_state_t before, std::uint32_t phases,
                         std::uint32_t history_length) {
    before.control.phases += phases;
    before.control.history_length = history_length;
    before.time.step = segment.end_step();
    return before;
}

double time_reached(const Method &method, const TimeSegment &segment, const run_state_t &state) {
    if (state.control.stop == STOP_COMPLETE) {
        return segment.end_time;
    }
    return method.chooses_steps ? state.time.t
                                : std::min(segment.end_time, segment.time_after(work_done(state)));
}

void report_chosen_steps(const Method &method, const run_state_t &state, const KernelCall &call,
                         DeviceRun &run, Report &report) {
    if (!method.chooses_steps) {
        return;
    }
    const TimeSpent::Scope downloading(Activity::download);
    report.time_step = state.time.dt;
    if (method.rejects_steps) {
        report.rejected_steps = state.steps.rejected;
    }
    report.step_sizes.resize(std::min(state.time.step, MOST_STEP_SIZES));
    run.read(call.place_of("sizes"), report.step_sizes.data(), report.step_sizes.size() * sizeof(double));
}

}  // namespace perdure
