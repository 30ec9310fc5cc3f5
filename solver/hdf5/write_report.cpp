#include <hdf5_hl.h>

#include <array>

#include <nlohmann/json.hpp>

#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/library_versions.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/report_text.hpp"
#include "solver/output/time_text.hpp"

namespace perdure::hdf5 {
namespace {

void write_execution(hid_t group, const Report &report) {
    write_attribute(group, "version", report.version);
    write_attribute(group, "library_versions", library_versions());
    write_attribute(group, "backend", report.backend);
    write_attribute(group, "device", report.device);
    write_attribute(group, "model", report.model);
    write_attribute(group, "barrier", report.barrier);
    write_attribute(group, "precision", report.precision);
    write_attribute(group, "launches", report.launches);
    write_attribute(group, "graph_launches", report.graph_launches);
    write_attribute(group, "barriers", report.barriers);
    write_attribute(group, "groups", std::int64_t{report.groups});
    write_attribute(group, "group_size", std::int64_t{report.group_size});
    write_attribute(group, "device_bytes", report.device_bytes);
    write_attribute(group, "device_seconds", report.device_seconds);
    write_attribute(group, "snapshot_wait_seconds", report.snapshot_wait);
    for (const auto &[name, seconds] : named_seconds(report.time_spent->spent())) {
        write_attribute(group, name.c_str(), seconds);
    }
}

void write_convergence(hid_t group, const Report &report) {
    write_attribute(group, "stop_reason", describe(report.stop));
    write_attribute(group, "outcome", outcome(report));
    write_attribute(group, "method", report.method);
    write_attribute(group, "norm", report.norm);
    write_attribute(group, "cells", report.cells);
    write_attribute(group, "excluded_cells", report.excluded_cells);
    write_attribute(group, "iterations", report.iterations);
    write_attribute(group, "right_hand_side_norm", report.right_hand_side_norm);
    write_attribute(group, "initial_residual", report.initial_residual);
    write_attribute(group, "residual", report.residual);
    write_attribute(group, "recursive_residual", report.recursive_residual);
    write_attribute(group, "tolerance", report.tolerance);
    write_attribute(group, "accuracy_floor", report.accuracy_floor);
    write_attribute(group, "time", report.time);
    write_attribute(group, "time_step", report.time_step);
    if (report.solves) {
        write_attribute(group, "solver_iterations", report.solves->iterations);
        write_attribute(group, "most_iterations_of_a_step", report.solves->most_iterations);
        write_attribute(group, "rounded_steps", report.solves->rounded_steps);
        if (report.solves->corrections) {
            write_attribute(group, "corrections", *report.solves->corrections);
            write_attribute(group, "most_corrections_of_a_step", report.solves->most_corrections);
        }
    }
    if (report.rejected_steps) {
        write_attribute(group, "rejected_steps", *report.rejected_steps);
    }
    if (report.bad_cell) {
        write_attribute(group, "bad_cell", *report.bad_cell);
    }
    if (!report.bad_field.empty()) {
        write_attribute(group, "bad_field", report.bad_field);
    }
    for (const ErrorNorms &error : report.errors) {
        write_attribute(group, ("error_L1_" + error.field).c_str(), error.l1);
        write_attribute(group, ("error_L2_" + error.field).c_str(), error.l2);
        write_attribute(group, ("error_Linf_" + error.field).c_str(), error.max);
    }
    if (!report.notes.empty()) {
        write_attribute(group, "notes", report.notes);
    }
}

void write_effective(hid_t group, const EffectiveProperties &effective) {
    Handle properties = create_group(group, "effective");
    constexpr std::array<const char *, 3> axes{"x", "y", "z"};
    write_attribute(properties, "axis", axes.at(static_cast<std::size_t>(effective.axis)));
    write_attribute(properties, "inflow", effective.inflow);
    write_attribute(properties, "outflow", effective.outflow);
    write_attribute(properties, "coefficient", effective.coefficient);
    write_attribute(properties, "mean_coefficient", effective.mean_coefficient);
    write_attribute(properties, "tortuosity", effective.tortuosity);
    if (effective.bounds) {
        write_attribute(properties, "energy_bounds",
                        std::vector<double>{effective.bounds->lower, effective.bounds->upper});
    }
    properties.close("write the effective properties");
}

void write_history(hid_t group, const std::vector<HistoryEntry> &history) {
    std::vector<std::int64_t> iterations;
    std::vector<double> residuals;
    std::vector<double> times;
    for (const HistoryEntry &entry : history) {
        iterations.push_back(entry.iteration);
        residuals.push_back(entry.residual);
        times.push_back(entry.device_time);
    }
    const std::string action = "write the history";
    Handle lists = create_group(group, "history");
    Handle iteration = write_list(lists, "iteration", iterations);
    Handle residual = write_list(lists, "residual", residuals);
    Handle device_time = write_list(lists, "device_time", times);
    write_attribute(device_time, "units", "s");
    check(H5DSset_scale(iteration, "iteration"), action);
    for (Handle *list : {&residual, &device_time}) {
        check(H5DSattach_scale(*list, iteration, 0), action);
        list->close(action);
    }
    iteration.close(action);
    lists.close(action);
}

}  // namespace

void write_report(hid_t file, const Report &report) {
    report.time_spent->update();
    Handle group = create_group(file, "report");
    auto json = figures_to_json(report);
    json["exit_code"] = static_cast<int>(exit_code(report));
    write_attribute(group, "json", json_text(json));
    write_execution(group, report);
    write_convergence(group, report);
    if (report.effective) {
        write_effective(group, *report.effective);
    }
    if (report.tensor) {
        write_tensor(group, *report.tensor);
    }
    write_history(group, report.history);
    group.close("write the report");
}

}  // namespace perdure::hdf5
