#include <hdf5_hl.h>

#include <array>

#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::array<const char *, 3> cf_axes{"X", "Y", "Z"};

void write_axis(hid_t file, const Grid &grid, int axis, const std::string &units) {
    std::vector<double> centres;
    for (std::int64_t i = 0; i < grid.cells[axis]; ++i) {
        centres.push_back(grid.centre(axis, i));
    }
    const std::string name = perdure::name(static_cast<Axis>(axis));
    Handle scale = write_list(file, name.c_str(), centres);
    check(H5DSset_scale(scale, name.c_str()), "write the axis " + name);
    write_attribute(scale, "units", units);
    write_attribute(scale, "axis", cf_axes[axis]);
    write_attribute(scale, "long_name", name + " of cell centres");
    scale.close("write the axis " + name);
}

void describe_time(hid_t dataset, const DeclaredUnits &units) {
    write_attribute(dataset, "units", unit_attribute(units.time));
    write_attribute(dataset, "axis", "T");
    write_attribute(dataset, "long_name", "time");
}

}  // namespace

void write_components(hid_t file) {
    Handle scale = write_list(file, "comp", std::vector<std::int64_t>{0, 1, 2});
    check(H5DSset_scale(scale, "comp"), "write the components");
    write_attribute(scale, "long_name", "component of a vector: x, y, z");
    scale.close("write the components");
}

void write_axes(hid_t file, const Grid &grid, const DeclaredUnits &units) {
    for (int axis = 0; axis < grid.axes(); ++axis) {
        write_axis(file, grid, axis, unit_attribute(units.length));
    }
}

void write_time(hid_t file, double time, const DeclaredUnits &units) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "write the time");
    Handle dataset(
        H5Dcreate2(file, "time", H5T_IEEE_F64LE, space, H5P_DEFAULT, dataset_properties(), H5P_DEFAULT),
        H5Dclose, "write the time");
    check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &time), "write the time");
    describe_time(dataset, units);
    dataset.close("write the time");
}

void write_times(hid_t file, const std::vector<Snapshot> &snapshots, const DeclaredUnits &units) {
    std::vector<double> times;
    std::vector<std::int64_t> steps;
    for (const Snapshot &snapshot : snapshots) {
        times.push_back(snapshot.time);
        steps.push_back(snapshot.step);
    }
    Handle time = write_list(file, "time", times);
    check(H5DSset_scale(time, "time"), "write the times");
    describe_time(time, units);
    Handle iteration = write_list(file, "iteration", steps);
    check(H5DSattach_scale(iteration, time, 0), "write the steps");
    write_attribute(iteration, "long_name", "time step");
    iteration.close("write the steps");
    time.close("write the times");
}

}  // namespace perdure::hdf5
