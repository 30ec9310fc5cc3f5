#include "solver/run/time_steps.hpp"

#include <algorithm>
#include <cmath>

#include "solver/equations/equation.hpp"
#include "solver/in_words.hpp"
#include "solver/integrators/integrator.hpp"
#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"

#include <fmt/format.h>

namespace perdure {
namespace {

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
        const double total = whole_steps(time.duration(), step);
        const auto every = static_cast<double>(time.snapshot_every);
        for (double steps = every; steps < total; steps += every) {
            ends.push_back(time.start + steps * step);
        }
    }
    if (ends.empty() || ends.back() < time.end) {
        ends.push_back(time.end);
    }
    return ends;
}

/// Those of implicit steps. `first_apart`: the first step of each has a matrix of its own, and is a segment.
std::vector<TimeSegment> even_segments(double start, const std::vector<double> &ends, double most,
                                       bool first_apart) {
    std::vector<TimeSegment> segments;
    const auto add = [&](TimeSegment segment) {
        segment.number = static_cast<std::uint32_t>(segments.size());
        segments.push_back(segment);
    };
    TimeSegment next;
    next.start_time = start;
    for (const double end : ends) {
        next.end_time = end;
        next.steps = static_cast<std::uint32_t>(whole_steps(end - next.start_time, most));
        const double step = (end - next.start_time) / next.steps;
        const double before = next.step;
        next.step_before = before;
        next.step = next.last_step = std::abs(step - before) <= negligible * before ? before : step;
        if (first_apart && next.step != before && next.steps > 1) {
            TimeSegment first = next;
            first.steps = 1;
            first.end_time = next.start_time + step;
            first.ends_on_snapshot = false;
            add(first);
            next.first_step += 1;
            next.steps -= 1;
            next.start_time += step;
            next.step_before = step;
        }
        add(next);
        next.first_step += next.steps;
        next.start_time = end;
    }
    return segments;
}

[[noreturn]] void refuse(const Config &config, const TextPosition &position, const std::string &message) {
    throw Failure(ExitCode::case_or_usage,
                  {ProblemFindings(config).make(Diagnostic::Severity::error, position, message)});
}

/// From snapshot to snapshot.
std::vector<TimeSegment> chosen_segments(const Config &config) {
    const TimeConfig &time = *config.time;
    if (time.snapshot_every > 0) {
        refuse(config, time.position,
               "time.snapshots: every_steps does not work with adaptive steps; give {every: T} or a list of "
               "times");
    }
    std::vector<TimeSegment> segments;
    double start = time.start;
    for (const double end : segment_ends(time, time.duration())) {
        segments.push_back(
            {static_cast<std::uint32_t>(segments.size()), 1, start, end, end - start, end - start});
        start = end;
    }
    return segments;
}

}  // namespace

namespace {

/// What else to do about steps that have to be short; empty where the equation has no implicit method.
std::string implicit_methods(const Config &config) {
    std::vector<std::string> words;
    for (const Integrator *const integrator : all_integrators()) {
        const ImplicitRule *const implicit = integrator->method.implicit;
        if (integrator->equation == config.type && implicit != nullptr && !implicit->divides &&
            std::ranges::find(words, name(integrator->word)) == words.end()) {
            words.emplace_back(name(integrator->word));
        }
    }
    return words.empty() ? ""
                         : fmt::format("; or take longer steps with an implicit time.method, {}",
                                       in_words(words, "or"));
}

}  // namespace

bool chooses_steps(const Config &config) {
    return method_of(config).chooses_steps;
}

void set_stages(const Config &config, double stable, std::vector<TimeSegment> &segments) {
    const Integrator &integrator = integrator_of(config);
    for (TimeSegment &segment : segments) {
        segment.stages = integrator.stages_of_step == nullptr
                             ? 0
                             : static_cast<std::uint32_t>(integrator.stages_of_step(segment.step, stable));
    }
}

namespace {

/// Of the steps that are as long as some number of stages allows, and no longer than `longest`, the shortest ones that take the fewest stages up to
/// the end, snapshots included.
double cheapest_step(const TimeConfig &time, const Integrator &integrator, double of_explicit_euler,
                     double longest) {
    double cheapest = 0.0, fewest = std::numeric_limits<double>::infinity();
    for (int stages = integrator.stages; stages <= integrator.automatic_stages; ++stages) {
        const double step =
            std::min(part_of_stable_step * integrator.step_of_stages(stages, of_explicit_euler), longest);
        double steps = 0.0, start = time.start;
        for (const double end : segment_ends(time, step)) {
            steps += whole_steps(end - start, step);
            start = end;
        }
        const double in_all = steps * integrator.stages_of_step(step, of_explicit_euler);
        if (in_all < fewest) {
            fewest = in_all;
            cheapest = step;
        }
    }
    return cheapest;
}

}  // namespace

double choose_time_step(const Config &config, const std::vector<double> &of_explicit_euler,
                        double longest_automatic) {
    const TimeConfig &time = *config.time;
    const Integrator &integrator = integrator_of(config);
    const std::string unit = unit_in_words(config.units.time);
    if (integrator.method.chooses_steps) {
        return time.step.value_or(0.0);
    }
    const double stable_time_step = integrator.stable_time_step(of_explicit_euler);
    if (!time.step && !std::isfinite(stable_time_step)) {
        refuse(config, time.position,
               is_implicit(time.integrator) && !integrator.method.implicit->divides
                   ? fmt::format("time.dt: expected a number: {} is stable with steps of any size, so only "
                                 "the accuracy that you need decides how large they may be",
                                 name(time.integrator))
                   : "time.dt: expected a number, because the largest possible step cannot be derived from "
                     "the case");
    }
    if (!time.step) {
        return std::min(integrator.step_of_stages != nullptr
                            ? cheapest_step(time, integrator, of_explicit_euler.front(), longest_automatic)
                            : part_of_stable_step * stable_time_step,
                        time.duration());
    }
    if (stable_time_step <= 0.0) {
        refuse(config, time.step_position,
               fmt::format(
                   "time.dt: no step is stable: with these coefficients some solutions grow or oscillate "
                   "in a way that {} amplifies at any step size; choose another time.method",
                   name(time.integrator)));
    }
    if (*time.step > stable_time_step * (1.0 + negligible)) {
        refuse(config, time.step_position,
               fmt::format("time.dt: {:.6g}{} is not stable: explicit steps on this grid with these "
                           "coefficients need dt <= {:.6g}{}; use dt: auto, a smaller dt or a coarser grid{}",
                           *time.step, unit, stable_time_step, unit, implicit_methods(config)));
    }
    return *time.step;
}

std::vector<TimeSegment> time_segments(const Config &config, double step) {
    const TimeConfig &time = *config.time;
    const std::string unit = unit_in_words(config.units.time);
    if (chooses_steps(config)) {
        return chosen_segments(config);
    }
    if (whole_steps(time.duration(), step) + static_cast<double>(time.snapshot_times.size()) > most_steps) {
        refuse(config, time.position,
               fmt::format(
                   "time.end: {:.6g}{} needs {:.3g} steps of {:.3g}{}, more than {:.0e}; end earlier or "
                   "use a coarser grid{}",
                   time.end, unit, time.duration() / step, step, unit, most_steps, implicit_methods(config)));
    }
    if (const ImplicitRule *const implicit = method_of(config).implicit; implicit != nullptr) {
        const bool of_first_step = implicit->remembers && !equation_of(config.type).of_case;
        return even_segments(time.start, segment_ends(time, step), step, of_first_step);
    }
    const auto every = static_cast<double>(time.snapshot_every);
    const double steps_of_run = whole_steps(time.duration(), step);
    if (every > 0.0 && steps_of_run > most_snapshots * every) {
        refuse(config, time.snapshots_position,
               fmt::format("time.snapshots.every_steps: with {:.0f}, the {:.3g} steps of this run give "
                           "{:.3g} snapshots, more than {:.0e}; use a larger number",
                           every, steps_of_run, steps_of_run / every, most_snapshots));
    }
    std::vector<TimeSegment> segments;
    double start = time.start;
    std::uint32_t first = 0;
    for (const double end : segment_ends(time, step)) {
        const double steps = whole_steps(end - start, step);
        const double last = (end - start) - (steps - 1.0) * step;
        segments.push_back({.first_step = first,
                            .steps = static_cast<std::uint32_t>(steps),
                            .start_time = start,
                            .end_time = end,
                            .step = step,
                            .last_step = std::min(last, step),
                            .number = static_cast<std::uint32_t>(segments.size())});
        first += static_cast<std::uint32_t>(steps);
        start = end;
    }
    return segments;
}

std::uint32_t most_steps_of_a_segment(const std::vector<TimeSegment> &segments) {
    return std::max_element(
               segments.begin(), segments.end(),
               [](const TimeSegment &one, const TimeSegment &other) { return one.steps < other.steps; })
        ->steps;
}

double ratio_to_step_before(const TimeSegment &segment) {
    return segment.step_before > 0.0 ? segment.step / segment.step_before : 0.0;
}

StepWeights step_weights(const ImplicitRule &implicit, const TimeSegment &segment) {
    return implicit.weights(segment.step, ratio_to_step_before(segment));
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

}  // namespace perdure
