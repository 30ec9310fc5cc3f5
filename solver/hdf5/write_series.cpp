#include <array>

#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/series.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::array<const char *, 3> axes{"x", "y", "z"};

std::string units_of(const SeriesVariable &variable) {
    return variable.units.empty() ? "1" : variable.units;
}

/// Distance from its first point as a scale, and on it x, y and z of the points.
Object &write_line_scale(Object &group, const SeriesLine &line, int dimensions, const std::string &units) {
    Object &scale = group.add(line.name, line.distances());
    scale.is_scale = true;
    scale.set("units", units);
    scale.set("long_name", "distance from the first point of " + line.name);
    for (int axis = 0; axis < dimensions; ++axis) {
        std::vector<double> coordinates;
        for (const std::array<double, 3> &point : line.points) {
            coordinates.push_back(point[axis]);
        }
        Object &list = group.add(line.name + "_" + axes[axis], coordinates);
        list.scales = {scale.path};
        list.set("units", units);
        list.set("long_name", std::string(axes[axis]) + " of the points of " + line.name);
    }
    return scale;
}

/// By the CF conventions: lists along the same axis that say where a value is.
std::string coordinates_of(const SeriesLine &line, int dimensions) {
    std::string names;
    for (int axis = 0; axis < dimensions; ++axis) {
        names += (axis > 0 ? " " : "") + line.name + "_" + axes[axis];
    }
    return names;
}

void write_variable(Object &group, const Series &series, const SeriesVariable &variable, const Object &time,
                    const std::vector<const Object *> &lines) {
    Extent extent{series.times.size()};
    if (variable.line >= 0) {
        extent.push_back(variable.width);
    }
    Object &table = group.add(variable.name, Values(variable.values, extent));
    table.scales = {time.path};
    if (variable.line >= 0) {
        table.scales.push_back(lines[variable.line]->path);
        table.set("coordinates", coordinates_of(series.lines[variable.line], series.dimensions));
    }
    table.set("units", units_of(variable));
    table.set("long_name", variable.meaning);
    for (int axis = 0; axis < series.dimensions && variable.is_at_point; ++axis) {
        table.set(axes[axis], variable.at[axis]);
    }
}

}  // namespace

void write_series(Object &file, const Series &series, const DeclaredUnits &units) {
    Object &group = file.group("series");
    Object &time = group.add("time", series.times);
    time.is_scale = true;
    time.set("units", unit_attribute(units.time));
    time.set("axis", "T");
    time.set("long_name", "time");
    Object &step = group.add("step", series.steps);
    step.scales = {time.path};
    step.set("long_name", "time step");
    std::vector<const Object *> lines;
    for (const SeriesLine &line : series.lines) {
        lines.push_back(&write_line_scale(group, line, series.dimensions, unit_attribute(units.length)));
    }
    for (const SeriesVariable &variable : series.variables) {
        write_variable(group, series, variable, time, lines);
    }
}

}  // namespace perdure::hdf5
