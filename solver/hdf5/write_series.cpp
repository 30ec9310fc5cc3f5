#include <hdf5_hl.h>

#include <array>

#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/series.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::array<const char *, 3> axes{"x", "y", "z"};

std::string units_of(const SeriesVariable &variable) {
    return variable.units.empty() ? "1" : variable.units;
}

/// Distance from its first point as a scale, and on it x, y and z of the points.
Handle write_line_scale(hid_t group, const SeriesLine &line, int dimensions, const std::string &units) {
    const std::string action = "write the points of " + line.name;
    Handle scale = write_list(group, line.name.c_str(), line.distances());
    check(H5DSset_scale(scale, line.name.c_str()), action);
    write_attribute(scale, "units", units);
    write_attribute(scale, "long_name", "distance from the first point of " + line.name);
    for (int axis = 0; axis < dimensions; ++axis) {
        std::vector<double> coordinates;
        for (const std::array<double, 3> &point : line.points) {
            coordinates.push_back(point[axis]);
        }
        Handle list = write_list(group, (line.name + "_" + axes[axis]).c_str(), coordinates);
        check(H5DSattach_scale(list, scale, 0), action);
        write_attribute(list, "units", units);
        write_attribute(list, "long_name", std::string(axes[axis]) + " of the points of " + line.name);
        list.close(action);
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

Handle write_table(hid_t group, const SeriesVariable &variable, std::size_t rows) {
    const std::string action = "write " + variable.name;
    const std::array<hsize_t, 2> extent{rows, variable.width};
    const Handle space(H5Screate_simple(variable.line < 0 ? 1 : 2, extent.data(), nullptr), H5Sclose, action);
    Handle table(H5Dcreate2(group, variable.name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT,
                            dataset_properties(), H5P_DEFAULT),
                 H5Dclose, action);
    if (!variable.values.empty()) {
        check(H5Dwrite(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, variable.values.data()),
              action);
    }
    return table;
}

void write_variable(hid_t group, const Series &series, const SeriesVariable &variable, hid_t time,
                    const std::vector<Handle> &lines) {
    const std::string action = "write " + variable.name;
    Handle table = write_table(group, variable, series.times.size());
    check(H5DSattach_scale(table, time, 0), action);
    if (variable.line >= 0) {
        check(H5DSattach_scale(table, lines[variable.line], 1), action);
        write_attribute(table, "coordinates", coordinates_of(series.lines[variable.line], series.dimensions));
    }
    write_attribute(table, "units", units_of(variable));
    write_attribute(table, "long_name", variable.meaning);
    for (int axis = 0; axis < series.dimensions && variable.is_at_point; ++axis) {
        write_attribute(table, axes[axis], variable.at[axis]);
    }
    table.close(action);
}

}  // namespace

void write_series(hid_t file, const Series &series, const DeclaredUnits &units) {
    const std::string action = "write the series";
    Handle group = create_group(file, "series");
    Handle time = write_list(group, "time", series.times);
    check(H5DSset_scale(time, "time"), action);
    write_attribute(time, "units", unit_attribute(units.time));
    write_attribute(time, "axis", "T");
    write_attribute(time, "long_name", "time");
    Handle step = write_list(group, "step", series.steps);
    check(H5DSattach_scale(step, time, 0), action);
    write_attribute(step, "long_name", "time step");
    std::vector<Handle> lines;
    for (const SeriesLine &line : series.lines) {
        lines.push_back(write_line_scale(group, line, series.dimensions, unit_attribute(units.length)));
    }
    for (const SeriesVariable &variable : series.variables) {
        write_variable(group, series, variable, time, lines);
    }
    for (Handle &line : lines) {
        line.close(action);
    }
    step.close(action);
    time.close(action);
    group.close(action);
}

}  // namespace perdure::hdf5
