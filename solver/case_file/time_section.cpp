#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "solver/case_file/formula_text.hpp"
#include "solver/case_file/sections.hpp"
#include "solver/case_file/system_section.hpp"
#include "solver/in_words.hpp"

namespace perdure {
namespace {

bool is_positive(double number) {
    return number > 0.0;
}

void read_step(const YamlValue &value, TimeConfig &time) {
    time.step_position = value.position();
    if (value.node().kind == YamlNode::Kind::map) {
        YamlMap map(value);
        if (const auto part =
                map.require("cfl", "the fraction of a cell that the fastest wave crosses in a step")) {
            time.courant = part->number("a number > 0", is_positive);
        }
        map.finish();
        return;
    }
    if (value.node().kind != YamlNode::Kind::scalar || value.node().text != "auto") {
        time.step = value.number("auto or a number > 0", is_positive);
    }
}

std::optional<double> read_time_after(double start, const YamlValue &value, const char *positive) {
    if (start == 0.0) {
        return value.number(positive, is_positive);
    }
    const auto time = value.number();
    if (time && *time <= start) {
        value.error(fmt::format("expected a time after time.start = {}, found {}", start, *time));
        return std::nullopt;
    }
    return time;
}

/// Times in the order they are given; each must exceed the one before and not exceed the end.
void read_snapshot_times(const YamlValue &value, std::optional<double> end, TimeConfig &time) {
    double previous = time.start;
    const auto items = value.list("a list of times").value_or(std::vector<YamlValue>{});
    for (const YamlValue &item : items) {
        const auto number = item.number();
        if (!number) {
            continue;
        }
        if (*number <= time.start) {
            item.error(
                fmt::format("expected a time > {0}, found {1}: snapshots begin after the start, where "
                            "the fields are the initial ones that the case gives; leave {1} out",
                            time.start, *number));
        } else if (*number <= previous) {
            item.error(
                fmt::format("expected times in ascending order, found {} after {}", *number, previous));
        } else if (end && *number > *end) {
            item.error(fmt::format("expected times up to time.end = {}, found {}", *end, *number));
        } else {
            time.snapshot_times.push_back(*number);
        }
        previous = *number;
    }
}

/// From the start on every so much time; one that rounding alone keeps apart from the end is the end.
void read_snapshot_interval(const YamlValue &value, std::optional<double> end, TimeConfig &time) {
    constexpr double negligible = 1.0e-9;
    const auto every = value.number("a time > 0", is_positive);
    if (!every || !end) {
        return;
    }
    const double duration = *end - time.start;
    if (duration / *every > most_snapshots) {
        value.error(fmt::format(
            "{} up to time.end = {} gives {:.3g} snapshots, more than {:.0e}; write them less often", *every,
            *end, duration / *every, most_snapshots));
        return;
    }
    for (double count = 1.0; count * *every < duration - negligible * *every; count += 1.0) {
        time.snapshot_times.push_back(time.start + count * *every);
    }
}

void read_snapshots(const YamlValue &value, std::optional<double> end, TimeConfig &time) {
    if (value.node().kind == YamlNode::Kind::list) {
        read_snapshot_times(value, end, time);
    } else if (value.node().kind == YamlNode::Kind::map) {
        YamlMap map(value);
        const auto every = map.take("every");
        const auto every_steps = map.take("every_steps");
        if (every && every_steps) {
            every_steps->error("expected either every or every_steps, and not both");
        } else if (every) {
            read_snapshot_interval(*every, end, time);
        } else if (every_steps) {
            time.snapshots_position = every_steps->position();
            time.snapshot_every =
                every_steps->whole_number(1, std::numeric_limits<std::int32_t>::max()).value_or(0);
        } else {
            value.error("expected {every: T}, in time, or {every_steps: N}");
        }
        map.finish();
    } else {
        value.expected("a list of times, {every: T} in time, or {every_steps: N}");
    }
}

/// One of those that advance the equation.
void read_integrator(const YamlValue &value, const Equation &equation, TimeIntegrator &integrator) {
    const auto word = value.word<TimeIntegrator>();
    if (!word) {
        return;
    }
    if (std::find(equation.integrators.begin(), equation.integrators.end(), *word) ==
        equation.integrators.end()) {
        std::vector<std::string> words;
        for (const TimeIntegrator own : equation.integrators) {
            words.emplace_back(name(own));
        }
        value.error(fmt::format("{} cannot advance a {} problem; use {}", name(*word), name(equation.type),
                                in_words(words, "or")));
        return;
    }
    integrator = *word;
}

/// Names of parts and fields; which of them there are is known later.
void read_implicit_terms(YamlMap &map, TimeConfig &time) {
    if (time.integrator != TimeIntegrator::imex) {
        map.refuse("implicit",
                   fmt::format("this key is for the method imex only, but the method is {}; remove the key",
                               name(time.integrator)));
        return;
    }
    const auto value = map.require(
        "implicit", "the parts of problem.let whose terms are implicit, and fields, such as [diffusion]");
    const auto items = value ? value->list("a list of names of parts and fields") : std::nullopt;
    for (const YamlValue &item : items.value_or(std::vector<YamlValue>{})) {
        if (const auto name = item.text("the name of a part or a field")) {
            time.implicit_terms.emplace_back(*name, item.position());
        }
    }
    if (items && items->empty()) {
        value->error("expected at least one name; for equations without implicit terms, use euler or rk4");
    }
}

/// Of the error of a step.
void read_tolerances(YamlMap &map, TimeConfig &time) {
    if (!steps_by_error(time.integrator)) {
        for (const char *const key : {"rtol", "atol"}) {
            map.refuse(
                key,
                fmt::format(
                    "this key is for the methods rk23 and rk45 only, but the method is {}{}; remove the key",
                    name(time.integrator),
                    is_implicit(time.integrator)
                        ? "; the tolerance of its linear solves is solver." + std::string(key)
                        : ""));
        }
        return;
    }
    if (const auto value = map.take("rtol")) {
        time.rtol = value->number("a number > 0", is_positive).value_or(time.rtol);
    }
    if (const auto value = map.take("atol")) {
        time.atol =
            value->number("a number >= 0", [](double number) { return number >= 0.0; }).value_or(time.atol);
    }
}

/// `equation`: null where the type could not be read.
TimeConfig read_time_map(const YamlValue &section, const Equation *equation) {
    TimeConfig time;
    time.position = time.step_position = section.key_position();
    YamlMap map(section);
    if (const auto value = map.take("start")) {
        time.start = value->number().value_or(0.0);
    }
    std::optional<double> end;
    if (const auto value = map.require("end", "the time to stop at")) {
        end = read_time_after(time.start, *value, "a number > 0");
    }
    if (const auto value = map.take("dt")) {
        read_step(*value, time);
    }
    if (time.courant && equation != nullptr && !equation->of_case) {
        section.findings().error(
            time.step_position,
            fmt::format(
                "time.dt: {{cfl: ..}} is for systems of equations; in a {} problem give a number or auto",
                name(equation->type)));
    }
    const auto integrator = map.take("method");
    if (equation != nullptr) {
        time.integrator = equation->integrators.front();
        if (integrator) {
            read_integrator(*integrator, *equation, time.integrator);
        }
    }
    if (equation != nullptr) {
        read_implicit_terms(map, time);
        read_tolerances(map, time);
    }
    if (const auto value = map.take("snapshots")) {
        read_snapshots(*value, end, time);
    }
    if (equation != nullptr && !equation->of_case && !equation->may_be_system) {
        map.refuse("stop_when",
                   "only problems of the types heat and system can stop by a condition; remove the key");
    } else if (const auto value = map.take("stop_when")) {
        time.stop_when = read_formula(*value, "a condition, such as change < 1e-8");
    }
    map.finish();
    time.end = end.value_or(time.start);
    if (time.snapshot_times.empty() || time.snapshot_times.back() < time.end) {
        time.snapshot_times.push_back(time.end);
    }
    return time;
}

}  // namespace

void read_time(YamlMap &root, const Equation *equation, std::optional<TimeConfig> &time) {
    if (equation != nullptr && equation->no_time != nullptr) {
        root.refuse("time", equation->no_time);
        return;
    }
    const auto section =
        equation != nullptr
            ? root.require("time",
                           fmt::format("a {} problem needs an end time, such as {{end: 1.0, dt: auto}}",
                                       name(equation->type)))
            : root.take("time");
    if (section) {
        time = read_time_map(*section, equation);
    }
}

}  // namespace perdure
