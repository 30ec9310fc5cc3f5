#include <algorithm>
#include <utility>

#include "solver/equations/equation.hpp"
#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/time_spent.hpp"

namespace perdure::hdf5 {
namespace {

const FieldResult *next_field(SolutionParts &parts) {
    const TimeSpent::Wait waiting;
    const LibraryUnlock unlocked;
    return parts.next();
}

}  // namespace

Handle create_vtkhdf(hid_t file, const Grid &grid) {
    Handle group = create_group(file, "VTKHDF");
    write_attribute(group, "Version", std::vector<std::int64_t>{2, 0});
    write_ascii_attribute(group, "Type", "ImageData");
    std::vector<std::int64_t> extent(6, 0);
    for (int axis = 0; axis < grid.axes(); ++axis) {
        extent[2 * axis + 1] = grid.cells[axis];
    }
    write_attribute(group, "WholeExtent", extent);
    write_attribute(group, "Origin", std::vector<double>(grid.origin.begin(), grid.origin.end()));
    write_attribute(group, "Spacing", std::vector<double>(grid.spacing.begin(), grid.spacing.end()));
    write_attribute(group, "Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
    return group;
}

Handle create_cell_data(hid_t file, hid_t group, const std::vector<FieldLayout> &layouts) {
    if (std::any_of(layouts.begin(), layouts.end(),
                    [](const FieldLayout &layout) { return layout.components > 1; })) {
        write_components(file);
    }
    return create_group(group, "CellData");
}

void write_vtkhdf(hid_t file, const Config &config, const Grid &grid, SolutionParts &parts) {
    Handle group = create_vtkhdf(file, grid);
    Handle cell_data = create_group(group, "CellData");
    const bool report_alone = written_fields(config).empty();
    bool has_vectors = false;
    while (const FieldResult *field = next_field(parts)) {
        if (report_alone) {
            continue;
        }
        if (field->components > 1 && !std::exchange(has_vectors, true)) {
            write_components(file);
        }
        write_field(file, cell_data, config, grid, layout_of(*field));
    }
    cell_data.close("write CellData");
    const Solution &solution = parts.rest();

    Handle field_data = create_group(group, "FieldData");
    write_list(field_data, "TimeValue", std::vector<double>{solution.time}).close("write TimeValue");
    write_list(field_data, "iteration", std::vector<std::int64_t>{solution.step}).close("write iteration");
    field_data.close("write FieldData");
    group.close("write VTKHDF");
}

}  // namespace perdure::hdf5
