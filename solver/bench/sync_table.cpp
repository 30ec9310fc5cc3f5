#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "solver/bench/sync_bench.hpp"

namespace perdure::bench {
namespace {

using Text = std::back_insert_iterator<std::string>;

/// Four digits that count, or as many as stand before the point.
std::string figure(double value) {
    return value >= 1000.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string remark(const Measurement &measurement) {
    if (!measurement.failure.empty()) {
        return "FAILED: " + measurement.failure;
    }
    if (measurement.wrong != 0 && !measurement.expected_to_be_wrong) {
        return fmt::format("WRONG: {} values", measurement.wrong);
    }
    return measurement.cannot_run;
}

void add_line(Text text, const Measurement &measurement, const Measurement *compared) {
    if (!measurement.measured()) {
        fmt::format_to(text, "  {:<62} {}\n", measurement.name, remark(measurement));
        return;
    }
    const std::string range =
        fmt::format("[{} .. {}]", figure(measurement.lowest()), figure(measurement.highest()));
    std::string line =
        fmt::format("  {:<62} {:>8}  {:<21}", measurement.name, figure(measurement.median()), range);
    line += compared == nullptr ? fmt::format("{:>9}", "")
                                : fmt::format(" {:>8.2f}", measurement.median() / compared->median());
    if (measurement.floor > 0.0) {
        line += fmt::format("  {:>8} {:>6.2f}", figure(measurement.floor),
                            measurement.median() / measurement.floor);
    }
    line += "  " + remark(measurement);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::format_to(text, "{}\n", line);
}

/// Measurements of one shape under one heading.
void add_table(Text text, const std::vector<Measurement> &list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        const LaunchShape shape = list[i].shape;
        const Measurement *const compared = reference(list, shape);
        if (i == 0 || list[i - 1].shape.groups != shape.groups ||
            list[i - 1].shape.group_size != shape.group_size) {
            fmt::format_to(text, "\n  {:<62} {:>8}  {:<21} {:>8}  {:>8} {:>6}\n",
                           fmt::format("{} group{} of {}, a round", shape.groups,
                                       shape.groups == 1 ? "" : "s", shape.group_size),
                           "ns", "[lowest .. highest]",
                           compared == nullptr               ? ""
                           : compared->name == "cooperative" ? "of coop."
                                                             : "of group_leader",
                           "floor", "times");
        }
        add_line(text, list[i], compared);
    }
}

void add_classical(Text text, const SyncReport &report) {
    fmt::format_to(
        text,
        "\nClassical experiment: {} work-items, {} rounds of a[i] + a[i+1] + a[i+2], two barriers a round; "
        "milliseconds\n  {:<22} {:<16} {:>10}  {:>10}\n",
        classical_elements, classical_rounds_published, "groups", "barrier", "measured", "published");
    for (const ClassicalLine &line : report.classical) {
        const Measurement &measurement = line.measurement;
        const std::string shape =
            fmt::format("{} of {}", measurement.shape.groups, measurement.shape.group_size);
        std::string end = remark(measurement);
        if (measurement.measured() && end.empty()) {
            end = measurement.wrong == 0 ? "all values equal"
                                         : fmt::format("{} values differ, as they must", measurement.wrong);
            if (measurement.rounds < classical_rounds_published) {
                end += fmt::format("; scaled from {} rounds", measurement.rounds);
            }
        }
        fmt::format_to(text, "  {:<22} {:<16} {:>10}  {:>10}  {}\n", shape, measurement.name,
                       measurement.measured() ? figure(classical_milliseconds(measurement)) : "-",
                       line.published.empty() ? "-" : line.published, end);
    }
}

}  // namespace

double classical_milliseconds(const Measurement &measurement) {
    return 1.0e-6 * measurement.median() * classical_rounds_published;
}

std::string sync_table(const SyncReport &report) {
    std::string result;
    const Text text(result);
    fmt::format_to(text, "{} ({}), {} compute units; {}\n", report.device.name, name(report.device.backend),
                   report.device.compute_units, report.device.driver);
    fmt::format_to(text, "Medians of {} repetitions.\n", report.options.repetitions);
    add_table(text, report.primitives);
    add_table(text, report.standard);
    fmt::format_to(text, "\nFloors:\n");
    for (const auto &[what, formula] : report.floors.formulas()) {
        fmt::format_to(text, "  {:<26} {}\n", what, formula);
    }
    add_table(text, report.sweep);
    add_classical(text, report);
    return result;
}

}  // namespace perdure::bench
