#include <array>

#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::array<const char *, 3> cf_axes{"X", "Y", "Z"};

void write_axis(Object &file, const Grid &grid, int axis, const std::string &units) {
    std::vector<double> centres;
    for (std::int64_t i = 0; i < grid.cells[axis]; ++i) {
        centres.push_back(grid.centre(axis, i));
    }
    const std::string name = perdure::name(static_cast<Axis>(axis));
    Object &scale = file.add(name, centres);
    scale.is_scale = true;
    scale.set("units", units);
    scale.set("axis", cf_axes[axis]);
    scale.set("long_name", name + " of cell centres");
}

void describe_time(Object &dataset, const DeclaredUnits &units) {
    dataset.set("units", unit_attribute(units.time));
    dataset.set("axis", "T");
    dataset.set("long_name", "time");
}

}  // namespace

void write_components(Object &file) {
    Object &scale = file.add("comp", std::vector<std::int64_t>{0, 1, 2});
    scale.is_scale = true;
    scale.set("long_name", "component of a vector: x, y, z");
}

void write_axes(Object &file, const Grid &grid, const DeclaredUnits &units) {
    for (int axis = 0; axis < grid.axes(); ++axis) {
        write_axis(file, grid, axis, unit_attribute(units.length));
    }
}

void write_time(Object &file, double time, const DeclaredUnits &units) {
    describe_time(file.add("time", time), units);
}

void write_times(Object &file, const std::vector<Snapshot> &snapshots, const DeclaredUnits &units) {
    std::vector<double> times;
    std::vector<std::int64_t> steps;
    for (const Snapshot &snapshot : snapshots) {
        times.push_back(snapshot.time);
        steps.push_back(snapshot.step);
    }
    Object &time = file.add("time", times);
    time.is_scale = true;
    describe_time(time, units);
    Object &iteration = file.add("iteration", steps);
    iteration.scales = {time.path};
    iteration.set("long_name", "time step");
}

}  // namespace perdure::hdf5
