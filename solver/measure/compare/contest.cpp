#include "solver/measure/compare/contest.hpp"

#include <algorithm>

#include "solver/backends/wait_limit.hpp"
#include "solver/measure/compare/bytes_moved.hpp"
#include "solver/measure/compare/watched_run.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/work_done.hpp"

namespace perdure::compare {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t most_iterations_chosen = 50'000;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Too little memory is no member's own lack.
bool concerns_all(const Failure &failure) {
    return failure.code() == ExitCode::device && failure.diagnostics().empty();
}

std::string first_line(const Failure &failure) {
    const std::string text =
        failure.diagnostics().empty() ? failure.what() : failure.diagnostics().front().message;
    return text.substr(0, text.find('\n'));
}

bool cut_short(const Timing &timing) {
    return interrupted() || timing.state.control.stop == STOP_REQUESTED;
}

/// Throws Failure where the device lacks the model, or its groups cannot meet in that barrier.
LaunchPlan plan_of(Config config, const Contender &contender, Device &device) {
    config.execution.model = contender.model;
    config.execution.barrier = contender.barrier;
    const std::string missing = model_missing(device, contender.model);
    if (!missing.empty() && !contender.refuse) {
        throw Failure(ExitCode::case_or_usage, missing);
    }
    LaunchPlan plan = plan_launch(config, device);
    choose_barrier(config, device, plan);
    return plan;
}

}  // namespace

template <typename Real>
Contest<Real>::Contest(const PointTask &task)
    : task_(task),
      deadline_(task.deadline),
      wait_limit_(watchdog_limit(task.device, task.config.execution)),
      progress_(Progress::Style::quiet, 1) {
    for (const Contender &contender : task.contenders) {
        enter(contender);
    }
}

template <typename Real>
std::uint32_t Contest<Real>::most_iterations() const {
    return task_.iterations > 0 ? static_cast<std::uint32_t>(task_.iterations) : most_iterations_chosen;
}

template <typename Real>
bool Contest<Real>::ended() const {
    return interrupted() || (deadline_ && Clock::now() >= *deadline_);
}

template <typename Real>
void Contest<Real>::enter(const Contender &contender) {
    Runner<Real> &runner = runners_.emplace_back();
    Member &member = runner.member;
    member.name = contender.name;
    member.model = name(contender.model);
    try {
        runner.plan = plan_of(task_.config, contender, task_.device);
    } catch (const Failure &failure) {
        if (contender.refuse || concerns_all(failure)) {
            throw;
        }
        member.cannot_run = first_line(failure);
        return;
    }
    member.groups = runner.plan.shape.groups;
    member.group_size = runner.plan.shape.group_size;
    if (contender.model == ExecutionModel::persistent) {
        member.barrier = name(runner.plan.barrier);
        member.barrier_seconds = runner.plan.barrier_seconds;
    }
    runner.bits = has_bits_of_phases(contender.model, *runner.plan.method);
    runner.norm_bound = rounding_of_norms(contender.model, *runner.plan.method);
    member.bound = runner.bits ? 0.0 : field_bound<Real>;
    runner.track = track_of(runner.plan);
}

template <typename Real>
Track<Real> *Contest<Real>::track_of(const LaunchPlan &plan) {
    for (const auto &track : tracks_) {
        if (track->kernel() == plan.launched && track->shape().groups == plan.shape.groups &&
            track->shape().group_size == plan.shape.group_size &&
            track->has_cooperative_barrier() == (plan.barrier == BarrierChoice::cooperative)) {
            return track.get();
        }
    }
    tracks_.push_back(std::make_unique<Track<Real>>(task_.config, task_.problem, task_.cells, plan,
                                                    task_.device, most_iterations()));
    count_bytes(plan);
    return tracks_.back().get();
}

template <typename Real>
void Contest<Real>::count_bytes(const LaunchPlan &plan) {
    const Track<Real> &track = *tracks_.front();
    const ValuesMoved moved = plan.method->values_moved(track.traits());
    const double field = static_cast<double>(task_.problem.grid.count()) * sizeof(Real);
    bytes_per_iteration_ = field * moved.per_iteration;
    bytes_touched_ = field * moved.touched;
}

template <typename Real>
Runner<Real> *Contest<Real>::reference() {
    Runner<Real> *found = nullptr;
    for (Runner<Real> &runner : runners_) {
        if (runner.usable() && (found == nullptr || runner.plan.model == ExecutionModel::launches)) {
            found = &runner;
        }
    }
    return found;
}

template <typename Real>
run_parameters_t Contest<Real>::parameters_of(Runner<Real> &runner, RunLength length,
                                              std::uint32_t &last) const {
    run_parameters_t parameters = runner.track->parameters(length.iterations, last);
    parameters.check_every = length.check_every;
    parameters.wait_limit = wait_limit_;
    parameters.barrier = barrier_kind(runner.plan.barrier);
    return parameters;
}

template <typename Real>
Timing Contest<Real>::go(Runner<Real> &runner, RunLength length, std::uint32_t phases) {
    std::uint32_t last = 0;
    const run_parameters_t parameters = parameters_of(runner, length, last);
    if (phases > 0) {
        last = std::min(last, phases);
    }
    const bool whole = is_one_launch(runner.plan.model) || runner.plan.model == ExecutionModel::graph_while;
    WatchedRun watched(runner.track->run(), task_.device.description().gpu, whole, deadline_);
    LaunchDriver driver(watched, runner.plan, progress_);
    const Clock::time_point start = Clock::now();
    Timing timing;
    timing.state = driver.run(parameters, 0, last);
    timing.seconds = seconds_since(start);
    timing.device_seconds = watched.device_seconds();
    timing.launches = driver.launches();
    timing.graph_launches = driver.graph_launches();
    timing.barriers = driver.barriers();
    timing.looks = watched.looks();
    return timing;
}

/// What `run` took with all that belongs to it; nothing when it was cut short or failed, which the member
/// then says.
template <typename Real>
template <typename Action>
std::optional<Timing> Contest<Real>::attempt(Runner<Real> &runner, const Action &run) {
    try {
        const Clock::time_point start = Clock::now();
        const Timing timing = run();
        runner.last_seconds = seconds_since(start);
        return cut_short(timing) ? std::nullopt : std::optional(timing);
    } catch (const Failure &failure) {
        runner.member.failure = first_line(failure);
        return std::nullopt;
    }
}

template <typename Real>
std::optional<Timing> Contest<Real>::from_scratch(Runner<Real> &runner, RunLength length) {
    return attempt(runner, [&] {
        runner.track->reset(Track<Real>::Extent::all);
        return go(runner, length);
    });
}

template <typename Real>
std::optional<Timing> Contest<Real>::timed(Runner<Real> &runner, RunLength length) {
    return attempt(runner, [&] {
        runner.track->reset(Track<Real>::Extent::state);
        const Timing warm_up = go(runner, length, std::clamp(length.iterations / 20, 1U, length.check_every));
        if (cut_short(warm_up)) {
            return warm_up;
        }
        runner.track->reset(Track<Real>::Extent::first_field);
        return go(runner, length);
    });
}

template <typename Real>
std::optional<Timing> Contest<Real>::bare(Runner<Real> &runner, RunLength length) {
    return attempt(runner, [&] {
        runner.track->reset(Track<Real>::Extent::first_field);
        std::uint32_t last = 0;
        const run_parameters_t parameters = parameters_of(runner, length, last);
        LaunchDriver driver(runner.track->run(), runner.plan, progress_);
        const Clock::time_point start = Clock::now();
        Timing timing;
        timing.state = driver.run(parameters, 0, last);
        timing.seconds = seconds_since(start);
        return timing;
    });
}

template <typename Real>
void Contest<Real>::find_shares(Runner<Real> &runner, RunLength length, const run_state_t &expected) {
    Member &member = runner.member;
    if (!runner.track->instrument(true)) {
        member.no_shares = task_.device.description().clock ? "its kernel has no form with clocks in it"
                                                            : "kernels have no clock on this back end";
        return;
    }
    const auto timing = timed(runner, length);
    if (timing) {
        member.no_shares = difference(timing->state, expected, "its form without clocks");
        member.shares = part_shares(runner.track->part_times(), runner.plan.model, timing->seconds);
        member.shares->seconds = timing->seconds / work_done(timing->state);
        if (member.shares->stencil <= 0.0) {
            member.no_shares = "its kernel has no form with clocks in it";
        }
    } else {
        member.no_shares = member.failure.empty() ? "out of time" : member.failure;
        member.failure.clear();
    }
    if (!member.no_shares.empty()) {
        member.shares.reset();
    }
    runner.track->instrument(false);
}

template class Contest<float>;
template class Contest<double>;

}  // namespace perdure::compare
