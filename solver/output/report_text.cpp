#include "solver/output/report_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solver/output/energy_bounds.hpp"
#include "solver/output/time_text.hpp"
#include "solver/run/plan_launch.hpp"

namespace perdure {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string cell_text(std::int64_t index, const Grid &grid) {
    const std::int64_t x = index % grid.cells[0];
    const std::int64_t y = index / grid.cells[0] % grid.cells[1];
    const std::int64_t z = index / grid.cells[0] / grid.cells[1];
    switch (grid.axes()) {
        case 1:
            return fmt::format("[x {}]", x);
        case 2:
            return fmt::format("[y {}, x {}]", y, x);
        default:
            return fmt::format("[z {}, y {}, x {}]", z, y, x);
    }
}

const char *plural(std::int64_t count) {
    return count == 1 ? "" : "s";
}

std::string graph_launches(const Report &report) {
    if (report.graph_launches == 0) {
        return {};
    }
    return fmt::format(" as nodes of {} graph launch{}", report.graph_launches,
                       report.graph_launches == 1 ? "" : "es");
}

std::string execution_text(const Report &report) {
    std::string text = report.advice.empty() ? "" : fmt::format("  try        {}\n", report.advice);
    text += fmt::format("  execution  {}, {}, {}, {} launch{}{}, {} grid barrier{}{}\n", report.device,
                        report.model, report.precision, report.launches, report.launches == 1 ? "" : "es",
                        graph_launches(report), report.barriers, plural(report.barriers),
                        report.barriers > 0 ? fmt::format(" ({})", report.barrier) : "");
    return text;
}

std::string time_text(const Report &report) {
    const std::string waited =
        report.snapshot_wait > 0.0
            ? fmt::format(", of which {:.3g} s were spent waiting for snapshots to be copied to the host",
                          report.snapshot_wait)
            : "";
    const std::string before =
        report.earlier_device_seconds > 0.0
            ? fmt::format(", {:.4g} s of them before the checkpoint; since it was resumed",
                          report.earlier_device_seconds)
            : ",";
    return fmt::format("  time       {:.4g} s on the device{}{} {}\n", report.device_seconds, waited, before,
                       to_text(report.time_spent->spent()));
}

std::string to_text(const SolvesOfSteps &solves, const Report &report) {
    std::string text = fmt::format(
        "  solves     {} iteration{} of {}, at most {} per step and {:.3g} on average; last residual {:.4e} "
        "({}; tolerance {:.4e})\n",
        solves.iterations, plural(solves.iterations), report.method, solves.most_iterations,
        static_cast<double>(solves.iterations) /
            static_cast<double>(std::max<std::int64_t>(1, report.iterations)),
        report.residual, report.norm, report.tolerance);
    if (solves.corrections) {
        text += fmt::format(
            "  Newton     {} correction{}, at most {} per step; the iterations above are those of bicgstab\n",
            *solves.corrections, plural(*solves.corrections), solves.most_corrections);
    }
    if (solves.rounded_steps > 0) {
        text += fmt::format("  floor      rounding kept the residual above the tolerance in {} step{}\n",
                            solves.rounded_steps, plural(solves.rounded_steps));
    }
    return text;
}

}  // namespace

std::string to_text(const Report &report, const Grid &grid) {
    std::string text = outcome(report);
    if (report.bad_cell) {
        text += fmt::format(", first in cell {}{}", cell_text(*report.bad_cell, grid),
                            report.bad_field.empty() ? "" : " of " + report.bad_field);
    }
    const bool steady = report.time_step == 0.0 && !report.rejected_steps;
    const bool chosen = !report.step_sizes.empty();  // while it ran
    if (report.tensor) {
        text += fmt::format(": effective properties, {} iteration{} in all\n", report.iterations,
                            plural(report.iterations)) +
                to_text(*report.tensor);
        return text + execution_text(report) + time_text(report);
    }
    text += steady ? fmt::format(" after {} iteration{}\n", report.iterations, plural(report.iterations))
            : report.rejected_steps
                ? fmt::format(" after {} step{} and {} rejected step{}, t = {:.6g}{}\n", report.iterations,
                              plural(report.iterations), *report.rejected_steps,
                              plural(*report.rejected_steps), report.time, report.time_unit)
                : fmt::format(" after {} step{}{} of size {:.6g}{}, t = {:.6g}{}\n", report.iterations,
                              plural(report.iterations), chosen ? ", the last" : "", report.time_step,
                              report.time_unit, report.time, report.time_unit);
    if (steady) {
        text += fmt::format(
            "  residual   {:.4e} ({}; tolerance {:.4e}, ||b|| {:.4e}; recursive {:.4e} at the last check)\n",
            report.residual, report.norm, report.tolerance, report.right_hand_side_norm,
            report.recursive_residual);
    } else if (report.solves) {
        text += to_text(*report.solves, report);
    } else {
        text += fmt::format("  {:<10} {:.6g}\n", report.norm, report.residual);
    }
    for (const ErrorNorms &error : report.errors) {
        text += fmt::format("  error      of {}: L1 {:.6e}, L2 {:.6e}, largest {:.6e}\n", error.field,
                            error.l1, error.l2, error.max);
    }
    if (report.stop == StopReason::accuracy_limit) {
        text += fmt::format(
            "  floor      {:.4e} is about the smallest residual that rounding in {} allows here, rtol "
            "{:.1e}\n",
            report.accuracy_floor, report.precision, report.accuracy_floor / report.right_hand_side_norm);
    }
    text += fmt::format("  cells      {}", report.cells);
    text += report.excluded_cells > 0 ? fmt::format(", {} of them solid or cut off\n", report.excluded_cells)
                                      : "\n";
    text += execution_text(report);
    if (report.effective) {
        const EffectiveProperties &found = *report.effective;
        text += fmt::format("  inflow     {:.10g}   outflow {:.10g} (per area, along {})\n", found.inflow,
                            found.outflow, name(static_cast<Axis>(found.axis)));
        text += fmt::format("  effective coefficient {:.10g}   tortuosity {:.9g} (mean coefficient {:.9g})\n",
                            found.coefficient, found.tortuosity, found.mean_coefficient);
        if (found.bounds) {
            text += fmt::format("  energy     {}\n", to_text(*found.bounds));
        }
        if (found.bounds && certain_digits(*found.bounds) < few_digits) {
            text += fmt::format("  note: {}\n", warn_of_few_digits(*found.bounds));
        }
    }
    return text + time_text(report);
}

Json figures_to_json(const Report &report) {
    Json json;
    json["version"] = report.version;
    json["stop_reason"] = describe(report.stop);
    json["outcome"] = outcome(report);
    json["backend"] = report.backend;
    json["device"] = report.device;
    json["model"] = report.model;
    json["barrier"] = report.barrier;
    json["precision"] = report.precision;
    json["method"] = report.method;
    json["norm"] = report.norm;
    json["cells"] = report.cells;
    json["excluded_cells"] = report.excluded_cells;
    json["iterations"] = report.iterations;
    json["launches"] = report.launches;
    json["graph_launches"] = report.graph_launches;
    json["barriers"] = report.barriers;
    json["groups"] = report.groups;
    json["group_size"] = report.group_size;
    json["device_bytes"] = report.device_bytes;
    json["residual"] = number(report.residual);
    json["recursive_residual"] = number(report.recursive_residual);
    json["initial_residual"] = number(report.initial_residual);
    json["right_hand_side_norm"] = number(report.right_hand_side_norm);
    json["tolerance"] = number(report.tolerance);
    json["accuracy_floor"] = number(report.accuracy_floor);
    json["time"] = number(report.time);
    json["time_step"] = number(report.time_step);
    if (report.solves) {
        json["solves"] = {{"iterations", report.solves->iterations},
                          {"most_iterations_of_a_step", report.solves->most_iterations},
                          {"rounded_steps", report.solves->rounded_steps}};
        if (report.solves->corrections) {
            json["solves"]["corrections"] = *report.solves->corrections;
            json["solves"]["most_corrections_of_a_step"] = report.solves->most_corrections;
        }
    }
    if (report.rejected_steps) {
        json["rejected_steps"] = *report.rejected_steps;
    }
    json["bad_cell"] = report.bad_cell ? Json(*report.bad_cell) : Json(nullptr);
    if (!report.bad_field.empty()) {
        json["bad_field"] = report.bad_field;
    }
    json["device_seconds"] = number(report.device_seconds);
    json["snapshot_wait_seconds"] = number(report.snapshot_wait);
    for (const auto &[name, seconds] : named_seconds(report.time_spent->spent())) {
        json[name] = seconds;
    }
    for (const ErrorNorms &error : report.errors) {
        json["errors"][error.field] = {{"L1", number(error.l1)},
                                       {"L2", number(error.l2)},
                                       {"Linf", number(error.max)},
                                       {"time", number(error.time)}};
    }
    for (const auto &[name, value] : report.outcome_values) {
        json["outcome_values"][name] = number(value);
    }
    if (report.effective) {
        const EffectiveProperties &found = *report.effective;
        json["effective"] = {{"axis", name(static_cast<Axis>(found.axis))},
                             {"inflow", number(found.inflow)},
                             {"outflow", number(found.outflow)},
                             {"coefficient", number(found.coefficient)},
                             {"mean_coefficient", number(found.mean_coefficient)},
                             {"tortuosity", number(found.tortuosity)}};
        if (found.bounds) {
            json["effective"]["energy_bounds"] = {{"lower", found.bounds->lower},
                                                  {"upper", found.bounds->upper}};
            json["effective"]["certain_digits"] = certain_digits(*found.bounds);
        }
    }
    if (report.tensor) {
        json["effective"] = to_json(*report.tensor);
    }
    if (!report.advice.empty()) {
        json["advice"] = report.advice;
    }
    json["notes"] = report.notes;
    return json;
}

Json to_json(const Report &report) {
    Json json = figures_to_json(report);
    for (const HistoryEntry &entry : report.history) {
        json["history"].push_back({{"iteration", entry.iteration},
                                   {"residual", number(entry.residual)},
                                   {"device_time", number(entry.device_time)}});
    }
    return json;
}

}  // namespace perdure
