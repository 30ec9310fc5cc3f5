#include "solver/run/drive_launches.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "solver/backends/wait_record.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/work_done.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
namespace {

constexpr std::chrono::milliseconds tick{50};
constexpr std::chrono::milliseconds short_tick{1};
constexpr double bounded_seconds = 0.25;
constexpr std::uint32_t most_nodes = 128;
/// Going round the loop takes about 4 us on an H100, a launch that finds nothing to do 1 us.
constexpr std::uint32_t enough_nodes_of_loop = 32;

double as_double(std::uint64_t bits) {
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename Word>
Word relaxed(Word *word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

}  // namespace

LaunchDriver::LaunchDriver(DeviceRun &run, const LaunchPlan &plan, Progress &progress)
    : run_(run), plan_(plan), progress_(progress) {}

run_state_t LaunchDriver::run(run_parameters_t parameters, std::uint32_t first, std::uint32_t last) {
    const TimeSpent::Scope launching(Activity::launch);
    parameters.first_phase = first;
    state_.control.stop = STOP_NONE;  // of the phases before
    pass_on_interrupt(parameters);
    if (plan_.model == ExecutionModel::launches) {
        run_phase_by_phase(parameters, last - first);
    } else if (plan_.model == ExecutionModel::graph) {
        run_graph(parameters, last - first);
    } else if (plan_.model == ExecutionModel::graph_while) {
        run_graph_while(parameters, last - first);
    } else if (plan_.bounded) {
        run_bounded(parameters, last - first);
    } else {
        run_at_once(parameters, last - first);
    }
    go_on_behind_pause();
    return state_;
}

/// A run that chooses its steps ends its launch at a snapshot, or where the host has to take what it has watched, and goes on with the next.
void LaunchDriver::go_on_behind_pause() {
    if (state_.control.stop == STOP_AT_SNAPSHOT || state_.control.stop == STOP_SERIES_FULL) {
        state_.control.stop = STOP_NONE;
        run_.write(2, &state_.control.stop, sizeof state_.control.stop,
                   offsetof(run_state_t, control) + offsetof(run_control_t, stop));
    }
}

void LaunchDriver::go_on() {
    state_.control.stop = STOP_NONE;
    run_.write(buffer_state, &state_, sizeof state_);
    if (control_t *control = run_.control(); control != nullptr) {
        __atomic_store_n(&control->stop_request, 0U, __ATOMIC_RELAXED);
    }
}

void LaunchDriver::continue_from(const run_state_t &state, std::int64_t launches, std::int64_t graph_launches,
                                 std::int64_t barriers) {
    state_ = state;
    launches_ = launches;
    graph_launches_ = graph_launches;
    barriers_ = barriers;
    run_.write(buffer_state, &state_, sizeof state_);
}

void LaunchDriver::launch(const run_parameters_t &parameters) {
    run_.launch(parameters, true);
    ++launches_;
}

void LaunchDriver::run_at_once(run_parameters_t &parameters, std::uint32_t count) {
    parameters.phase_count = count;
    launch(parameters);
    wait(parameters);
    read_state();
}

void LaunchDriver::run_bounded(run_parameters_t &parameters, std::uint32_t count) {
    while (count > 0 && state_.control.stop == STOP_NONE) {
        parameters.phase_count = std::min(count, bounded_count_);
        launch(parameters);
        wait(parameters);
        read_state();
        parameters.first_phase += parameters.phase_count;
        count -= parameters.phase_count;
        adapt_bounded_count();
        show_state();
    }
}

void LaunchDriver::adapt_bounded_count() {
    const double scale = bounded_seconds / std::max(seconds_of_slowest(run_.launch_seconds()), 1.0e-6);
    bounded_count_ =
        static_cast<std::uint32_t>(std::clamp(bounded_count_ * std::min(scale, 8.0), 1.0, 1.0e9));
}

void LaunchDriver::run_phase_by_phase(run_parameters_t &parameters, std::uint32_t count) {
    parameters.phase_count = 1;
    while (count > 0 && state_.control.stop == STOP_NONE) {
        const std::uint32_t phases_before = state_.control.phases;
        const std::uint32_t batch = std::min(count, parameters.check_every);
        for (std::uint32_t i = 0; i < batch; ++i) {
            run_.launch_phase(parameters);
            ++launches_;
            ++parameters.first_phase;
        }
        count -= batch;
        wait(parameters);
        read_state();
        expect_progress(phases_before);
        show_state();
    }
}

void LaunchDriver::run_graph(run_parameters_t &parameters, std::uint32_t count) {
    const PhaseGraph graph{phases_of_graph(parameters.check_every), false};
    set_graph_phases(parameters.first_phase, parameters.first_phase + count);
    while (count > 0 && state_.control.stop == STOP_NONE) {
        const std::uint32_t phases_before = state_.control.phases;
        const std::uint32_t batch = std::min(count, parameters.check_every);
        for (std::uint32_t done = 0; done < batch; done += graph.phases) {
            run_.launch_graph(parameters, graph);
            ++graph_launches_;
            launches_ += graph.phases;
            count -= std::min(count, graph.phases);
        }
        wait(parameters);
        read_state();
        expect_progress(phases_before);
        show_state();
    }
}

void LaunchDriver::run_graph_while(run_parameters_t &parameters, std::uint32_t count) {
    const PhaseGraph graph{phases_of_loop(parameters.check_every), true};
    while (count > 0 && state_.control.stop == STOP_NONE) {
        const std::uint32_t phases_before = state_.control.phases;
        const std::uint32_t phases = plan_.bounded ? std::min(count, bounded_count_) : count;
        set_graph_phases(parameters.first_phase, parameters.first_phase + phases);
        run_.launch_graph(parameters, graph);
        ++graph_launches_;
        wait(parameters);
        read_state();
        expect_progress(phases_before);
        const std::uint32_t moved = state_.control.graph_phase - parameters.first_phase;
        launches_ += (moved + graph.phases - 1) / graph.phases * graph.phases;
        parameters.first_phase += moved;
        count -= moved;
        if (plan_.bounded) {
            adapt_bounded_count();
        }
        show_state();
    }
}

void LaunchDriver::set_graph_phases(std::uint32_t first, std::uint32_t end) {
    static_assert(offsetof(run_control_t, graph_seen) == offsetof(run_control_t, graph_phase) + 8);
    const std::uint32_t words[] = {first, end, state_.control.phases};
    run_.write(2, words, sizeof words, offsetof(run_state_t, control) + offsetof(run_control_t, graph_phase));
}

/// Launches that do nothing would go on for ever.
void LaunchDriver::expect_progress(std::uint32_t phases_before) const {
    if (state_.control.stop == STOP_NONE && state_.control.phases == phases_before) {
        throw Failure(ExitCode::device, fmt::format("watchdog: the run made no progress: none of the phases "
                                                    "launched after phase {} ran; nothing was written",
                                                    phases_before));
    }
}

void LaunchDriver::wait(run_parameters_t &parameters) {
    while (!run_.finished(meanwhile_ ? short_tick : tick)) {
        pass_on_interrupt(parameters);
        show();
        if (meanwhile_) {
            meanwhile_();
        }
    }
    pass_on_interrupt(parameters);
}

void LaunchDriver::pass_on_interrupt(run_parameters_t &parameters) {
    if (interrupted() || (stop_at_ && std::chrono::steady_clock::now() >= *stop_at_)) {
        parameters.stop_request = 1;
        if (control_t *control = run_.control(); control != nullptr) {
            __atomic_store_n(&control->stop_request, 1U, __ATOMIC_RELAXED);
        }
    }
}

/// Where a run keeps the time that it has reached, that is shown, else the tolerance.
void LaunchDriver::show_state() {
    progress_.update(work_done(state_), state_.solve.recursive_residual,
                     state_.time.t > 0.0 ? state_.time.t : state_.solve.tolerance);
}

void LaunchDriver::show() {
    if (control_t *control = run_.control(); control != nullptr) {
        progress_.update(static_cast<std::int64_t>(relaxed(&control->iteration)),
                         as_double(relaxed(&control->residual)), as_double(relaxed(&control->tolerance)));
    }
}

void LaunchDriver::read_state() {
    if (is_one_launch(plan_.model) || ranks() != nullptr) {
        look_for_abandoned_wait();
    }
    const std::uint32_t phases_before = state_.control.phases;
    run_.read(2, &state_, sizeof state_);
    if (is_one_launch(plan_.model) && state_.control.phases > phases_before) {
        barriers_ += state_.control.phases - phases_before - 1;
    }
}

void LaunchDriver::look_for_abandoned_wait() {
    const std::string abandoned = describe_abandoned_wait(run_, plan_.shape.groups);
    if (!abandoned.empty()) {
        throw Failure(ExitCode::device,
                      fmt::format("watchdog: the run made no progress: {}; nothing was written. Try fewer "
                                  "groups (execution.groups) or a longer execution.watchdog",
                                  abandoned));
    }
}

std::uint32_t phases_of_graph(std::uint32_t check_every) {
    const std::uint32_t graphs = (check_every + most_nodes - 1) / most_nodes;
    return (check_every + graphs - 1) / graphs;
}

std::uint32_t phases_of_loop(std::uint32_t check_every) {
    const std::uint32_t phases = phases_of_graph(check_every);
    return (enough_nodes_of_loop + phases - 1) / phases * phases;
}

}  // namespace perdure
