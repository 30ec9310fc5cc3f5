#include <array>

#include <nlohmann/json.hpp>

#include "solver/hdf5/library_versions.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/report_text.hpp"
#include "solver/output/time_text.hpp"

namespace perdure::hdf5 {
namespace {

void write_execution(Object &group, const Report &report) {
    group.set("version", report.version);
    group.set("library_versions", library_versions());
    group.set("backend", report.backend);
    group.set("device", report.device);
    group.set("model", report.model);
    group.set("barrier", report.barrier);
    group.set("precision", report.precision);
    group.set("launches", report.launches);
    group.set("graph_launches", report.graph_launches);
    group.set("barriers", report.barriers);
    group.set("groups", std::int64_t{report.groups});
    group.set("group_size", std::int64_t{report.group_size});
    group.set("device_bytes", report.device_bytes);
    group.set("device_seconds", report.device_seconds);
    group.set("snapshot_wait_seconds", report.snapshot_wait);
    for (const auto &[name, seconds] : named_seconds(report.time_spent->spent())) {
        group.set(name, seconds);
    }
}

void write_convergence(Object &group, const Report &report) {
    group.set("stop_reason", describe(report.stop));
    group.set("outcome", outcome(report));
    group.set("method", report.method);
    group.set("norm", report.norm);
    group.set("cells", report.cells);
    group.set("excluded_cells", report.excluded_cells);
    group.set("iterations", report.iterations);
    group.set("right_hand_side_norm", report.right_hand_side_norm);
    group.set("initial_residual", report.initial_residual);
    group.set("residual", report.residual);
    group.set("recursive_residual", report.recursive_residual);
    group.set("tolerance", report.tolerance);
    group.set("accuracy_floor", report.accuracy_floor);
    group.set("time", report.time);
    group.set("time_step", report.time_step);
    if (report.solves) {
        group.set("solver_iterations", report.solves->iterations);
        group.set("most_iterations_of_a_step", report.solves->most_iterations);
        group.set("rounded_steps", report.solves->rounded_steps);
        if (report.solves->corrections) {
            group.set("corrections", *report.solves->corrections);
            group.set("most_corrections_of_a_step", report.solves->most_corrections);
        }
    }
    if (report.rejected_steps) {
        group.set("rejected_steps", *report.rejected_steps);
    }
    if (report.bad_cell) {
        group.set("bad_cell", *report.bad_cell);
    }
    if (!report.bad_field.empty()) {
        group.set("bad_field", report.bad_field);
    }
    for (const ErrorNorms &error : report.errors) {
        group.set(("error_L1_" + error.field), error.l1);
        group.set(("error_L2_" + error.field), error.l2);
        group.set(("error_Linf_" + error.field), error.max);
    }
    if (!report.notes.empty()) {
        group.set("notes", report.notes);
    }
}

void write_effective(Object &group, const EffectiveProperties &effective) {
    Object &properties = group.group("effective");
    constexpr std::array<const char *, 3> axes{"x", "y", "z"};
    properties.set("axis", axes.at(static_cast<std::size_t>(effective.axis)));
    properties.set("inflow", effective.inflow);
    properties.set("outflow", effective.outflow);
    properties.set("coefficient", effective.coefficient);
    properties.set("mean_coefficient", effective.mean_coefficient);
    properties.set("tortuosity", effective.tortuosity);
    if (effective.bounds) {
        properties.set("energy_bounds",
                       std::vector<double>{effective.bounds->lower, effective.bounds->upper});
    }
}

void write_history(Object &group, const std::vector<HistoryEntry> &history) {
    std::vector<std::int64_t> iterations;
    std::vector<double> residuals;
    std::vector<double> times;
    for (const HistoryEntry &entry : history) {
        iterations.push_back(entry.iteration);
        residuals.push_back(entry.residual);
        times.push_back(entry.device_time);
    }
    Object &lists = group.group("history");
    Object &iteration = lists.add("iteration", iterations);
    iteration.is_scale = true;
    lists.add("residual", residuals).scales = {iteration.path};
    Object &device_time = lists.add("device_time", times);
    device_time.scales = {iteration.path};
    device_time.set("units", "s");
}

}  // namespace

void write_report(Object &file, const Report &report) {
    report.time_spent->update();
    Object &group = file.group("report");
    auto json = figures_to_json(report);
    json["exit_code"] = static_cast<int>(exit_code(report));
    group.set("json", json_text(json));
    write_execution(group, report);
    write_convergence(group, report);
    if (report.effective) {
        write_effective(group, *report.effective);
    }
    if (report.tensor) {
        write_tensor(group, *report.tensor);
    }
    write_history(group, report.history);
}

}  // namespace perdure::hdf5
