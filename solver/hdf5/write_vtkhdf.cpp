#include <algorithm>

#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {

void write_vtkhdf(hid_t file, const Config &config, const Grid &grid, const Solution &solution) {
    Handle group = create_group(file, "VTKHDF");
    write_attribute(group, "Version", std::vector<std::int64_t>{2, 0});
    write_ascii_attribute(group, "Type", "ImageData");
    const std::int64_t depth = grid.dimensions == 3 ? grid.cells[2] : 0;
    write_attribute(group, "WholeExtent",
                    std::vector<std::int64_t>{0, grid.cells[0], 0, grid.cells[1], 0, depth});
    write_attribute(group, "Origin", std::vector<double>(grid.origin.begin(), grid.origin.end()));
    write_attribute(group, "Spacing", std::vector<double>(grid.spacing.begin(), grid.spacing.end()));
    write_attribute(group, "Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});

    Handle cell_data = create_group(group, "CellData");
    if (!solution.report.tensor && !config.output.fields.empty()) {
        write_field(file, cell_data, config, grid, {"u", 1, config.output.units.value_or("1")}, solution.u);
    }
    if (std::any_of(solution.more.begin(), solution.more.end(),
                    [](const Field &field) { return field.components > 1; })) {
        write_components(file);
    }
    for (const Field &field : solution.more) {
        // those of a flux are not known where those of a are not
        const std::string no_units = field.components > 1 && config.output.units ? "" : "1";
        const std::string units = field.components == 1 ? config.output.units.value_or("1") : no_units;
        write_field(file, cell_data, config, grid, {field.name.c_str(), field.components, units},
                    field.values);
    }
    cell_data.close("write CellData");

    Handle field_data = create_group(group, "FieldData");
    write_list(field_data, "TimeValue", std::vector<double>{solution.time}).close("write TimeValue");
    write_list(field_data, "iteration", std::vector<std::int64_t>{solution.step}).close("write iteration");
    field_data.close("write FieldData");
    group.close("write VTKHDF");
}

}  // namespace perdure::hdf5
