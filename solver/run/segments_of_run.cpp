#include "solver/run/segments_of_run.hpp"

#include "kernels/system_setup.h"
#include "solver/time_spent.hpp"

namespace perdure {

run_state_t state_behind(const TimeSegment &segment, run_state_t before, std::uint32_t phases,
                         std::uint32_t history_length) {
    before.control.phases += phases;
    before.control.history_length = history_length;
    before.time.step = segment.end_step();
    return before;
}

bool is_at_snapshot(const std::vector<TimeSegment> &segments, const run_state_t &state) {
    const std::uint32_t number = state.steps.segment;
    return number > 0 && state.time.t == segments[number].start_time;
}

void report_chosen_steps(const Method &method, const run_state_t &state, const KernelCall &call,
                         DeviceRun &run, bool in_launch, Report &report) {
    if (!method.chooses_steps) {
        return;
    }
    const TimeSpent::Scope downloading(Activity::download);
    report.time_step = state.time.dt;
    if (method.rejects_steps) {
        report.rejected_steps = state.steps.rejected;
    }
    report.step_sizes.resize(std::min(state.time.step, MOST_STEP_SIZES));
    const std::size_t bytes = report.step_sizes.size() * sizeof(double);
    if (in_launch) {
        run.read_while_running(call.place_of("sizes"), report.step_sizes.data(), bytes, 0);
    } else {
        run.read(call.place_of("sizes"), report.step_sizes.data(), bytes);
    }
}

}  // namespace perdure
