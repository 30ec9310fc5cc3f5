#include "solver/run/run_effective.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "solver/equations/equation.hpp"
#include "solver/output/effective_tensor.hpp"
#include "solver/version.hpp"

namespace perdure {
namespace {

EffectiveTensor begin_tensor(const PreparedCase &prepared, const Percolation &percolation) {
    const MaterialImage &image = prepared.problem.only_field().image;
    const auto cells = static_cast<double>(image.of_cell.size());
    EffectiveTensor tensor;
    tensor.dimensions = prepared.problem.grid.dimensions;
    tensor.sides = prepared.config.effective->sides;
    tensor.wiener = wiener_bounds(image, 0);
    for (int axis = 0; axis < tensor.dimensions; ++axis) {
        const Bounds bounds = wiener_bounds(image, axis);
        tensor.mean_coefficient += bounds.upper;
        tensor.wiener.lower = std::min(tensor.wiener.lower, bounds.lower);
        tensor.wiener.upper = std::max(tensor.wiener.upper, bounds.upper);
    }
    tensor.mean_coefficient /= tensor.dimensions;
    tensor.hashin_shtrikman = hashin_shtrikman_bounds(image, prepared.problem.grid.dimensions);
    tensor.conducting_fraction = static_cast<double>(image.conducting_cells()) / cells;
    tensor.percolation_seconds = percolation.device_seconds + percolation.host_seconds;
    for (std::size_t i = 0; i < image.materials.size(); ++i) {
        const Material &material = image.materials[i];
        EffectiveMaterial entry{material.label,
                                material.conductivity,
                                material.by_axis,
                                material.cross,
                                static_cast<double>(material.cells) / cells,
                                {}};
        for (const int axis : prepared.config.effective->axes) {
            entry.percolates.push_back(percolation.along[axis].material[i]);
        }
        tensor.materials.push_back(std::move(entry));
    }
    std::sort(tensor.materials.begin(), tensor.materials.end(),
              [](const EffectiveMaterial &a, const EffectiveMaterial &b) { return a.label < b.label; });
    return tensor;
}

EffectiveDirection begin_direction(const PreparedCase &prepared, const Percolation &percolation, int axis) {
    EffectiveDirection direction;
    direction.axis = axis;
    direction.percolates = percolation.along[axis].percolates();
    direction.connected_fraction = static_cast<double>(percolation.along[axis].connected_cells) /
                                   static_cast<double>(prepared.problem.grid.count());
    direction.tortuosity = std::numeric_limits<double>::infinity();
    return direction;
}

void take_over(const Report &report, EffectiveDirection &direction) {
    if (report.effective) {
        direction.coefficient = report.effective->coefficient;
        direction.tortuosity = report.effective->tortuosity;
        direction.inflow = report.effective->inflow;
        direction.outflow = report.effective->outflow;
        direction.bounds = report.effective->bounds;
        direction.rounding = report.effective->rounding;
        direction.plane_spread = report.effective->plane_spread;
        direction.plane_noise = report.effective->plane_noise;
        direction.mean_flux = report.effective->mean_flux;
    }
    direction.stop = report.stop;
    direction.iterations = report.iterations;
    direction.residual = report.residual;
    direction.tolerance = report.tolerance;
    direction.device_seconds = report.device_seconds;
}

/// The report of all solves so far: counts and times added, otherwise that of the latest, or of one that did worse.
void add_report(const Report &one, const Equation &equation, Report &all) {
    Report sum = exit_code(one.stop) >= exit_code(all.stop) ? one : all;
    sum.iterations = all.iterations + one.iterations;
    sum.launches = all.launches + one.launches;
    sum.graph_launches = all.graph_launches + one.graph_launches;
    sum.barriers = all.barriers + one.barriers;
    sum.device_seconds = all.device_seconds + one.device_seconds;
    sum.device_bytes =
        std::max(all.device_bytes, one.device_bytes + equation.device_bytes_per_cell * one.cells);
    sum.effective.reset();
    all = std::move(sum);
}

Report begin_report(const PreparedCase &prepared, const Percolation &percolation) {
    const DeviceDescription &device = prepared.selected.device->description();
    Report report;
    report.version = version();
    report.backend = name(device.backend);
    report.device = device.name;
    report.model = name(prepared.config.execution.model);
    report.barrier = percolation.barriers > 0 ? name(prepared.plan.barrier) : "";
    report.precision = name(prepared.config.execution.precision);
    report.method = prepared.plan.method->title;
    report.norm = name(prepared.config.solver.norm);
    report.cells = prepared.problem.grid.count();
    report.excluded_cells = report.cells - prepared.problem.only_field().image.conducting_cells();
    report.stop = StopReason::complete;
    report.launches = percolation.launches;
    report.barriers = percolation.barriers;
    report.device_seconds = percolation.device_seconds;
    report.time_spent = prepared.time_spent;
    report.device_bytes = percolation_bytes_per_cell * report.cells;
    report.notes = device.notes;
    return report;
}

void pass_on_fields(Solution &of_direction, int axis, const FieldSink &sink) {
    const std::string suffix = std::string("_") + name(static_cast<Axis>(axis));
    for (FieldResult &field : of_direction.fields) {
        field.name += suffix;
        sink(std::move(field));
    }
}

}  // namespace

void turn_towards(int axis, PreparedCase &prepared) {
    point_along(axis, prepared.config);
    prepared.part = fmt::format("along {}", name(static_cast<Axis>(axis)));
    std::array<Side, 6> &sides = prepared.problem.only_field().sides;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        sides[side] = Side{};
        sides[side].kind = prepared.config.sides[side].kind;
        sides[side].values.values = {prepared.config.sides[side].values.number};
    }
    prepared.problem.only_field().falls_along =
        prepared.config.effective->sides == ImageSides::periodic_cell ? axis : -1;
}

Percolation find_percolation(const PreparedCase &prepared) {
    const EffectiveConfig &effective = *prepared.config.effective;
    return find_percolation(
        {prepared.problem.grid, prepared.problem.only_field().image, effective.axes, effective.sides},
        prepared.config, *prepared.selected.device, prepared.plan);
}

Solution run_effective(PreparedCase &prepared, Progress::Style style) {
    std::vector<FieldResult> fields;
    Solution all =
        run_effective(prepared, style, [&](FieldResult field) { fields.push_back(std::move(field)); });
    all.fields = std::move(fields);
    return all;
}

Solution run_effective(PreparedCase &prepared, Progress::Style style, const FieldSink &sink) {
    const Percolation percolation = find_percolation(prepared);
    prepared.image = std::make_shared<ImageOnDevice>(
        ImageOnDevice{percolation.material_on_device, percolation.faces_on_device, {}});
    Solution all;
    all.report = begin_report(prepared, percolation);
    EffectiveTensor tensor = begin_tensor(prepared, percolation);
    const bool in_float32 = prepared.config.execution.precision == Precision::float32;
    for (const int axis : prepared.config.effective->axes) {
        EffectiveDirection direction = begin_direction(prepared, percolation, axis);
        if (direction.percolates) {
            TimeSince on_direction;
            on_direction.restart();
            turn_towards(axis, prepared);
            prepared.cells.resize(1);
            find_active_along(percolation, axis, prepared.cells.front());
            Solution solution = run_case(prepared, style, [](const Solution &) {});
            take_over(solution.report, direction);
            on_direction.update();
            direction.total_seconds = on_direction.spent().total();
            add_report(solution.report, equation_of(prepared.config.type), all.report);
            if (!written_fields(prepared.config).empty()) {
                pass_on_fields(solution, axis, sink);
            }
        }
        tensor.directions.push_back(direction);
        if (all.report.stop == StopReason::stopped) {
            break;
        }
    }
    check_bounds(tensor, prepared.config.solver.rtol, in_float32);
    all.report.tensor = std::move(tensor);
    all.report.time_spent->update();
    all.step = all.report.iterations;
    return all;
}

}  // namespace perdure
