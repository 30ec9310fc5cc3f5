#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {

void write_vtkhdf(Object &file, const Grid &grid) {
    Object &group = file.group("VTKHDF");
    group.set("Version", std::vector<std::int64_t>{2, 0});
    group.set("Type", AsciiText{"ImageData"});
    std::vector<std::int64_t> extent(6, 0);
    for (int axis = 0; axis < grid.axes(); ++axis) {
        extent[2 * axis + 1] = grid.cells[axis];
    }
    group.set("WholeExtent", extent);
    group.set("Origin", std::vector<double>(grid.origin.begin(), grid.origin.end()));
    group.set("Spacing", std::vector<double>(grid.spacing.begin(), grid.spacing.end()));
    group.set("Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
    group.group("CellData");
}

void write_field_data(Object &file, const Solution &solution) {
    Object &field_data = file.group("VTKHDF").group("FieldData");
    field_data.add("TimeValue", std::vector<double>{solution.time});
    field_data.add("iteration", std::vector<std::int64_t>{solution.step});
}

void write_steps(Object &file, const std::vector<Snapshot> &snapshots) {
    std::vector<double> times;
    for (const Snapshot &snapshot : snapshots) {
        times.push_back(snapshot.time);
    }
    Object &steps = file.group("VTKHDF").group("Steps");
    steps.set("NSteps", static_cast<std::int64_t>(snapshots.size()));
    steps.add("Values", times);
}

}  // namespace perdure::hdf5
