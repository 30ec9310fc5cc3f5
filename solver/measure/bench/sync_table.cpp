#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/measure/bench/sync_bench.hpp"
#include "solver/output/text_table.hpp"
#include "solver/output/wrap_text.hpp"

namespace perdure::bench {
namespace {

/// Four digits that count, or as many as stand before the point.
std::string figure(double value) {
    return value >= 1.0e7    ? fmt::format("{:.3g}", value)
           : value >= 1000.0 ? fmt::format("{:.0f}", value)
                             : fmt::format("{:.4g}", value);
}

std::string ratio(double value) {
    return value >= 100.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

using Align = TextTable::Align;
using Lines = std::vector<const Measurement *>;

bool same_shape(const Measurement &one, const Measurement &other) {
    return one.shape.groups == other.shape.groups && one.shape.group_size == other.shape.group_size;
}

/// Runs of one shape each.
std::vector<Lines> by_shape(const Lines &all) {
    std::vector<Lines> shapes;
    for (const Measurement *const measurement : all) {
        if (shapes.empty() || !same_shape(*shapes.back().front(), *measurement)) {
            shapes.emplace_back();
        }
        shapes.back().push_back(measurement);
    }
    return shapes;
}

/// Why none of them was measured, where that is one reason; else empty.
std::string reason_of_all(const Lines &lines) {
    const std::string &reason = lines.front()->cannot_run;
    return std::all_of(lines.begin(), lines.end(),
                       [&](const Measurement *line) { return line->cannot_run == reason; })
               ? reason
               : "";
}

/// What was not measured: a reason once, with all that it holds for. `name_of` says what a line is called.
template <typename NameOf>
std::string not_measured(const std::string &heading, const Lines &lines, const NameOf &name_of) {
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
    std::string text;
    for (const Measurement *const line : lines) {
        if (!line->failure.empty()) {
            text += wrap_text(fmt::format("{}{}: FAILED: {}", heading, name_of(*line), line->failure), 2, 4);
        } else if (!line->measured()) {
            auto found = std::find_if(reasons.begin(), reasons.end(),
                                      [&](const auto &reason) { return reason.first == line->cannot_run; });
            if (found == reasons.end()) {
                found = reasons.insert(reasons.end(), {line->cannot_run, {}});
            }
            found->second.push_back(name_of(*line));
        }
    }
    for (const auto &[reason, names] : reasons) {
        text +=
            wrap_text(fmt::format("{}not measured, {}: {}", heading, reason, fmt::join(names, "; ")), 2, 4);
    }
    return text;
}

std::string wrong(const Measurement &measurement) {
    return measurement.wrong != 0 && !measurement.expected_to_be_wrong
               ? fmt::format("WRONG: {} values", measurement.wrong)
               : "";
}

/// Measurements of one shape under one heading.
std::string shape_table(const Lines &lines, const Measurement *compared) {
    const std::string heading = text_of(lines.front()->shape);
    if (const std::string reason = reason_of_all(lines); !reason.empty()) {
        return wrap_text(fmt::format("{}: {}", heading, reason), 2, 4);
    }
    const std::string of = compared == nullptr               ? ""
                           : compared->name == "cooperative" ? "of coop."
                                                             : "of leader";
    TextTable table(
        {{heading, Align::left}, {"ns"}, {"lowest .. highest", Align::left}, {of}, {"floor"}, {"times"}});
    for (const Measurement *const line : lines) {
        if (line->measured()) {
            const bool floor = line->floor > 0.0;
            table.add({line->name, figure(line->median()),
                       fmt::format("{} .. {}", figure(line->lowest()), figure(line->highest())),
                       compared == nullptr ? "" : ratio(line->median() / compared->median()),
                       floor ? figure(line->floor) : "", floor ? ratio(line->median() / line->floor) : ""},
                      wrong(*line));
        }
    }
    return (table.empty() ? "  " + heading + "\n" : table.plain(2)) +
           not_measured("", lines, [](const Measurement &line) { return line.name; });
}

std::string tables(const std::vector<Measurement> &list) {
    Lines all;
    for (const Measurement &measurement : list) {
        all.push_back(&measurement);
    }
    std::string text;
    bool line_before = false;  // shapes that were not measured stand below each other
    for (const Lines &lines : by_shape(all)) {
        const bool line = !reason_of_all(lines).empty();
        text += line && line_before ? "" : "\n";
        text += shape_table(lines, reference(list, lines.front()->shape));
        line_before = line;
    }
    return text;
}

/// "" or " (published: 3020)"
std::string published(const std::vector<ClassicalLine> &classical, const Measurement &of) {
    const auto found = std::find_if(classical.begin(), classical.end(), [&](const ClassicalLine &line) {
        return same_shape(line.measurement, of) && line.measurement.name == of.name;
    });
    return found == classical.end() || found->published.empty()
               ? ""
               : fmt::format(" (published: {})", found->published);
}

std::string values_of(const Measurement &measurement) {
    if (const std::string found = wrong(measurement); !found.empty()) {
        return found;
    }
    return measurement.wrong == 0 ? "all equal" : fmt::format("{} differ, as expected", measurement.wrong);
}

std::string classical_table(const std::vector<ClassicalLine> &classical) {
    std::string text =
        wrap_text(fmt::format("Classical experiment: {} work-items, {} rounds of a[i] + a[i+1] + a[i+2], two "
                              "barriers per round; milliseconds, extrapolated from fewer rounds",
                              classical_elements, classical_rounds_published),
                  0);
    TextTable table({{"groups", Align::left},
                     {"barrier", Align::left},
                     {"measured"},
                     {"published"},
                     {"rounds"},
                     {"values", Align::left}});
    Lines all;
    for (const ClassicalLine &line : classical) {
        all.push_back(&line.measurement);
    }
    std::string rest;
    for (const Lines &lines : by_shape(all)) {
        const LaunchShape shape = lines.front()->shape;
        rest += not_measured(fmt::format("{} of {}: ", shape.groups, shape.group_size), lines,
                             [&](const Measurement &line) { return line.name + published(classical, line); });
    }
    for (const ClassicalLine &line : classical) {
        const Measurement &measurement = line.measurement;
        if (measurement.measured()) {
            table.add({fmt::format("{} of {}", measurement.shape.groups, measurement.shape.group_size),
                       measurement.name, figure(classical_milliseconds(measurement)),
                       line.published.empty() ? "-" : line.published, fmt::format("{}", measurement.rounds),
                       values_of(measurement)});
        }
    }
    return text + (table.empty() ? "" : table.plain(2)) + rest;
}

}  // namespace

double classical_milliseconds(const Measurement &measurement) {
    return 1.0e-6 * measurement.median() * classical_rounds_published;
}

std::string sync_table(const SyncReport &report) {
    std::string text =
        wrap_text(fmt::format("{} ({}), {} compute units; {}", report.device.name,
                              name(report.device.backend), report.device.compute_units, report.device.driver),
                  0, 2);
    text += wrap_text(
        fmt::format("Medians of {} repetitions, per round; sums are of doubles.", report.options.repetitions),
        0, 2);
    text += tables(report.primitives) + tables(report.standard) + "\nFloors:\n";
    for (const auto &[what, formula] : report.floors.formulas()) {
        text += fmt::format("  {:<25} {}\n", what, formula);
    }
    text += tables(report.sweep);
    return report.classical.empty() ? text : text + "\n" + classical_table(report.classical);
}

}  // namespace perdure::bench
