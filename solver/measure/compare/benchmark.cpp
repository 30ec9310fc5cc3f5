#include "solver/measure/compare/benchmark.hpp"

#include <algorithm>

#include "solver/backends/wait_limit.hpp"
#include "solver/measure/compare/bytes_moved.hpp"
#include "solver/measure/compare/watched_run.hpp"
#include "solver/ranks/ranks.hpp"
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

/// No rank's clock runs while it waits for the others to be ready.
Clock::time_point start_together() {
    in_all_ranks([] {});
    return Clock::now();
}

/// Too little memory concerns every candidate alike.
bool concerns_all(const Failure &failure) {
    return failure.code() == ExitCode::device && failure.diagnostics().empty();
}

std::string first_line(const Failure &failure) {
    const std::string text =
        failure.diagnostics().empty() ? failure.what() : failure.diagnostics().front().message;
    return text.substr(0, text.find('\n'));
}

bool cut_short(const Timing &timing) {
    return in_any_rank(interrupted() || timing.state.control.stop == STOP_REQUESTED);
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
Benchmark<Real>::Benchmark(const PointTask &task)
    : task_(task),
      deadline_(task.deadline),
      wait_limit_(watchdog_limit(task.device, task.config.execution)),
      progress_(Progress::Style::quiet, 1) {
    in_all_ranks([&] {
        for (const Contender &contender : task.contenders) {
            enter(contender);
        }
    });
}

template <typename Real>
std::uint32_t Benchmark<Real>::most_iterations() const {
    return task_.iterations > 0 ? static_cast<std::uint32_t>(task_.iterations) : most_iterations_chosen;
}

template <typename Real>
bool Benchmark<Real>::ended() const {
    return in_any_rank(interrupted() || (deadline_ && Clock::now() >= *deadline_));
}

template <typename Real>
void Benchmark<Real>::enter(const Contender &contender) {
    Candidate<Real> &candidate = candidates_.emplace_back();
    Result &result = candidate.result;
    result.name = contender.name;
    result.model = name(contender.model);
    try {
        candidate.plan = plan_of(task_.config, contender, task_.device);
    } catch (const Failure &failure) {
        if (contender.refuse || concerns_all(failure)) {
            throw;
        }
        result.cannot_run = first_line(failure);
        return;
    }
    result.groups = candidate.plan.shape.groups;
    result.group_size = candidate.plan.shape.group_size;
    if (contender.model == ExecutionModel::persistent) {
        result.barrier = name(candidate.plan.barrier);
        result.barrier_seconds = candidate.plan.barrier_seconds;
    }
    candidate.bits = has_bits_of_phases(contender.model, *candidate.plan.method);
    candidate.norm_bound = rounding_of_norms(contender.model, *candidate.plan.method);
    result.bound = candidate.bits ? 0.0 : field_bound<Real>;
    candidate.timed_run = timed_run_of(candidate.plan);
}

template <typename Real>
TimedRun<Real> *Benchmark<Real>::timed_run_of(const LaunchPlan &plan) {
    for (const auto &timed_run : timed_runs_) {
        if (timed_run->kernel() == plan.launched && timed_run->shape().groups == plan.shape.groups &&
            timed_run->shape().group_size == plan.shape.group_size &&
            timed_run->has_cooperative_barrier() == (plan.barrier == BarrierChoice::cooperative)) {
            return timed_run.get();
        }
    }
    timed_runs_.push_back(std::make_unique<TimedRun<Real>>(task_.config, task_.problem, task_.cells, plan,
                                                           task_.device, most_iterations()));
    count_bytes(plan);
    return timed_runs_.back().get();
}

template <typename Real>
void Benchmark<Real>::count_bytes(const LaunchPlan &plan) {
    const TimedRun<Real> &timed_run = *timed_runs_.front();
    const ValuesMoved moved = plan.method->values_moved(timed_run.traits());
    const double field = static_cast<double>(task_.problem.grid.count()) * sizeof(Real);
    bytes_per_iteration_ = field * moved.per_iteration;
    bytes_touched_ = field * moved.touched;
}

template <typename Real>
Candidate<Real> *Benchmark<Real>::reference() {
    Candidate<Real> *found = nullptr;
    for (Candidate<Real> &candidate : candidates_) {
        if (candidate.usable() && (found == nullptr || candidate.plan.model == ExecutionModel::launches)) {
            found = &candidate;
        }
    }
    return found;
}

template <typename Real>
run_parameters_t Benchmark<Real>::parameters_of(Candidate<Real> &candidate, RunLength length,
                                                std::uint32_t &last) const {
    run_parameters_t parameters = candidate.timed_run->parameters(length.iterations, last);
    parameters.check_every = length.check_every;
    parameters.wait_limit = wait_limit_;
    parameters.barrier = barrier_kind(candidate.plan.barrier);
    return parameters;
}

template <typename Real>
Timing Benchmark<Real>::go(Candidate<Real> &candidate, RunLength length, std::uint32_t phases) {
    std::uint32_t last = 0;
    const run_parameters_t parameters = parameters_of(candidate, length, last);
    if (phases > 0) {
        last = std::min(last, phases);
    }
    const bool whole =
        is_one_launch(candidate.plan.model) || candidate.plan.model == ExecutionModel::graph_while;
    WatchedRun watched(candidate.timed_run->run(), task_.device.description().gpu, whole, deadline_);
    LaunchDriver driver(watched, candidate.plan, progress_);
    const Clock::time_point start = start_together();
    Timing timing;
    timing.state = driver.run(parameters, 0, last);
    timing.seconds = seconds_of_slowest(seconds_since(start));
    timing.device_seconds = seconds_of_slowest(watched.device_seconds());
    timing.launches = driver.launches();
    timing.graph_launches = driver.graph_launches();
    timing.barriers = driver.barriers();
    timing.looks = watched.looks();
    return timing;
}

/// What `run` took with all that belongs to it; nothing when it was cut short or failed, which the result
/// then says.
template <typename Real>
template <typename Action>
std::optional<Timing> Benchmark<Real>::attempt(Candidate<Real> &candidate, const Action &run) {
    try {
        const Clock::time_point start = Clock::now();
        const Timing timing = run();
        candidate.last_seconds = seconds_of_slowest(seconds_since(start));
        return cut_short(timing) ? std::nullopt : std::optional(timing);
    } catch (const Failure &failure) {
        end_all_ranks(failure);
        candidate.result.failure = first_line(failure);
        return std::nullopt;
    }
}

template <typename Real>
std::optional<Timing> Benchmark<Real>::from_scratch(Candidate<Real> &candidate, RunLength length) {
    return attempt(candidate, [&] {
        candidate.timed_run->reset(TimedRun<Real>::Extent::all);
        return go(candidate, length);
    });
}

template <typename Real>
std::optional<Timing> Benchmark<Real>::timed(Candidate<Real> &candidate, RunLength length) {
    return attempt(candidate, [&] {
        candidate.timed_run->reset(TimedRun<Real>::Extent::state);
        const Timing warm_up =
            go(candidate, length, std::clamp(length.iterations / 20, 1U, length.check_every));
        if (cut_short(warm_up)) {
            return warm_up;
        }
        candidate.timed_run->reset(TimedRun<Real>::Extent::initial_values);
        return go(candidate, length);
    });
}

template <typename Real>
std::optional<Timing> Benchmark<Real>::bare(Candidate<Real> &candidate, RunLength length) {
    return attempt(candidate, [&] {
        candidate.timed_run->reset(TimedRun<Real>::Extent::initial_values);
        std::uint32_t last = 0;
        const run_parameters_t parameters = parameters_of(candidate, length, last);
        LaunchDriver driver(candidate.timed_run->run(), candidate.plan, progress_);
        const Clock::time_point start = start_together();
        Timing timing;
        timing.state = driver.run(parameters, 0, last);
        timing.seconds = seconds_of_slowest(seconds_since(start));
        return timing;
    });
}

template <typename Real>
void Benchmark<Real>::find_shares(Candidate<Real> &candidate, RunLength length, const run_state_t &expected) {
    Result &result = candidate.result;
    if (!candidate.timed_run->instrument(true)) {
        result.no_shares = task_.device.description().clock ? "its kernel has no variant with clocks"
                                                            : "kernels cannot read a clock on this back end";
        return;
    }
    const auto timing = timed(candidate, length);
    if (timing) {
        result.no_shares = difference(timing->state, expected, "the variant without clocks");
        result.shares = part_shares(candidate.timed_run->part_times(), candidate.plan.model, timing->seconds);
        result.shares->seconds = timing->seconds / work_done(timing->state);
        if (result.shares->stencil <= 0.0) {
            result.no_shares = "its kernel has no variant with clocks";
        }
    } else {
        result.no_shares = result.failure.empty() ? "out of time" : result.failure;
        result.failure.clear();
    }
    if (!result.no_shares.empty()) {
        result.shares.reset();
    }
    candidate.timed_run->instrument(false);
}

template class Benchmark<float>;
template class Benchmark<double>;

}  // namespace perdure::compare
