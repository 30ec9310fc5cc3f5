#include "solver/run/time_steps.hpp"

#include <algorithm>
#include <cmath>

#include "solver/equations/equation.hpp"
#include "solver/integrators/integrator.hpp"
#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"

#include <fmt/format.h>

namespace perdure {
namespace {

constexpr double safety = 0.9;
constexpr double most_steps = 4.0e9;
/// A remainder smaller than this part of a step belongs to the step before it.
constexpr double negligible = 1.0e-9;

double whole_steps(double span, double step) {
    return std::max(1.0, std::ceil(span / step - negligible));
}

/// The times at which segments end.
std::vector<double> segment_ends(const TimeConfig &time, double step) {
    std::vector<double> ends;
    if (time.snapshot_every == 0) {
        ends = time.snapshot_times;
    } else {
        const double total = whole_steps(time.end, step);
        const auto every = static_cast<double>(time.snapshot_every);
        for (double steps = every; steps < total; steps += every) {
            ends.push_back(steps * step);
        }
    }
    if (ends.empty() || ends.back() < time.end) {
        ends.push_back(time.end);
    }
    return ends;
}

[[noreturn]] void refuse(const Config &config, const TextPosition &position, const std::string &message) {
    throw Failure(ExitCode::case_or_usage,
                  {ProblemFindings(config).make(Diagnostic::Severity::error, position, message)});
}

}  // namespace

double choose_time_step(const Config &config, const std::vector<double> &of_explicit_euler) {
    const TimeConfig &time = *config.time;
    const double stable_time_step = integrator_of(config).stable_time_step(of_explicit_euler);
    if (!time.step && !std::isfinite(stable_time_step)) {
        refuse(config, time.position,
               "time.dt: a number is needed: how large steps may be does not follow from the case");
    }
    if (!time.step) {
        return std::min(safety * stable_time_step, time.end);
    }
    if (*time.step > stable_time_step * (1.0 + negligible)) {
        refuse(
            config, time.step_position,
            fmt::format("time.dt: {:.6g} is not stable: explicit steps on this grid with these coefficients "
                        "need dt <= {:.6g}; take that, a coarser grid, or dt: auto",
                        *time.step, stable_time_step));
    }
    return *time.step;
}

std::vector<TimeSegment> time_segments(const Config &config, double step) {
    const TimeConfig &time = *config.time;
    if (whole_steps(time.end, step) + static_cast<double>(time.snapshot_times.size()) > most_steps) {
        refuse(config, time.position,
               fmt::format(
                   "time.end: {:.6g} is {:.3g} steps of {:.3g} away, more than {:.0e}; end earlier or use "
                   "a coarser grid",
                   time.end, time.end / step, step, most_steps));
    }
    const auto every = static_cast<double>(time.snapshot_every);
    if (every > 0.0 && whole_steps(time.end, step) > most_snapshots * every) {
        refuse(config, time.snapshots_position,
               fmt::format(
                   "time.snapshots.every_steps: {:.0f} of {:.3g} steps are {:.3g} snapshots, more than "
                   "{:.0e}; write them less often",
                   every, whole_steps(time.end, step), whole_steps(time.end, step) / every, most_snapshots));
    }
    std::vector<TimeSegment> segments;
    double start = 0.0;
    std::uint32_t first = 0;
    for (const double end : segment_ends(time, step)) {
        const double steps = whole_steps(end - start, step);
        const double last = (end - start) - (steps - 1.0) * step;
        segments.push_back({first, static_cast<std::uint32_t>(steps), start, end, step, std::min(last, step),
                            static_cast<std::uint32_t>(segments.size())});
        first += static_cast<std::uint32_t>(steps);
        start = end;
    }
    return segments;
}

void check_time_factors(const Config &config, const std::vector<TimeSegment> &segments) {
    std::vector<const ValueSource *> sources;
    for (const auto &[key, value] : values_of(config)) {
        sources.push_back(value);
    }
    for (const SideConfig &side : config.sides) {
        sources.push_back(&side.values);
    }
    for (const ValueSource *source : sources) {
        if (source->time_factor.empty()) {
            continue;
        }
        for (const TimeSegment &segment : segments) {
            try {
                (void)evaluate_time_factor(source->time_factor,
                                           step_times(segment, method_of(config).source_time));
            } catch (const Failure &failure) {
                refuse(config, source->position, failure.what());
            }
        }
    }
}

const TimeSegment &segment_with(const std::vector<TimeSegment> &segments, std::uint32_t step) {
    return *std::lower_bound(segments.begin(), segments.end(), step,
                             [](const TimeSegment &one, std::uint32_t of) { return one.end_step() <= of; });
}

double time_reached(const std::vector<TimeSegment> &segments, std::uint32_t steps) {
    const TimeSegment &segment = segment_with(segments, std::max(steps, 1U) - 1);
    return std::min(segment.end_time, segment.time_after(steps));
}

std::uint32_t checks_until(const std::vector<TimeSegment> &segments, const TimeSegment &last,
                           std::int64_t check_every) {
    const auto ends_between =
        std::count_if(segments.begin(), segments.begin() + last.number + 1,
                      [&](const TimeSegment &segment) { return segment.end_step() % check_every != 0; });
    return static_cast<std::uint32_t>(last.end_step() / check_every + ends_between);
}

std::vector<double> step_sizes(const std::vector<TimeSegment> &segments) {
    std::vector<double> sizes;
    for (const TimeSegment &segment : segments) {
        sizes.insert(sizes.end(), segment.steps - 1, segment.step);
        sizes.push_back(segment.last_step);
    }
    return sizes;
}

std::vector<double> step_times(const TimeSegment &segment, double part) {
    std::vector<double> times(segment.steps);
    for (std::uint32_t i = 0; i < segment.steps; ++i) {
        const double step = i + 1 == segment.steps ? segment.last_step : segment.step;
        times[i] = segment.start_time + i * segment.step + part * step;
    }
    return times;
}

}  // namespace perdure
