#include <hdf5_hl.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "solver/equations/equation.hpp"
#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/hdf5/write_chunks.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::size_t chunk_bytes = 1 << 20;
template <typename Number>
constexpr Number missing_value = std::numeric_limits<Number>::quiet_NaN();

/// Of libdeflate; tools/results/compression.txt has sizes and times.
int deflate_level(Compression compression) {
    constexpr int fast = 1;
    constexpr int small = 6;
    return compression == Compression::small ? small : fast;
}

/// z, y, x of a grid, or y, x, and behind them the components of a vector.
std::vector<hsize_t> shape_of(const Grid &grid, const FieldLayout &layout) {
    std::vector<hsize_t> shape;
    for (int axis = grid.dimensions - 1; axis >= 0; --axis) {
        shape.push_back(static_cast<hsize_t>(grid.cells[axis]));
    }
    if (layout.components > 1) {
        shape.push_back(static_cast<hsize_t>(layout.components));
    }
    return shape;
}

/// `times` > 0: chunks hold one time each, so that those of snapshots can be taken over as they are.
Handle field_properties(Compression compression, const std::vector<hsize_t> &shape,
                        std::size_t bytes_per_value, hsize_t times) {
    Handle properties = dataset_properties();
    if (compression != Compression::none) {
        auto chunk = chunk_shape(shape, bytes_per_value);
        if (times > 0) {
            chunk.insert(chunk.begin(), 1);
        }
        check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "set the chunk shape");
        check(H5Pset_shuffle(properties), "set the shuffle filter");
        check(H5Pset_deflate(properties, static_cast<unsigned>(deflate_level(compression))),
              "set the deflate filter");
        check(H5Pset_fletcher32(properties), "set the checksum filter");
    }
    return properties;
}

/// Names of the scales of a field's axes.
std::vector<std::string> scales_of(const Grid &grid, const FieldLayout &layout, hsize_t times) {
    std::vector<std::string> scales{"x", "y", "z"};
    scales.resize(static_cast<std::size_t>(grid.dimensions));
    if (times > 0) {
        scales.emplace_back("time");
    }
    std::reverse(scales.begin(), scales.end());
    if (layout.components > 1) {
        scales.emplace_back("comp");
    }
    return scales;
}

template <typename Number>
Handle create(hid_t file, hid_t group, Compression compression, const Grid &grid, const FieldLayout &layout,
              hsize_t times) {
    const std::string action = std::string("write ") + layout.name;
    std::vector<hsize_t> shape = shape_of(grid, layout);
    const Handle properties = field_properties(compression, shape, sizeof(Number), times);
    check(H5Pset_fill_value(properties, native_type<Number>(), &missing_value<Number>), action);
    if (times > 0) {
        shape.insert(shape.begin(), times);
    }
    const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                       action);
    const hid_t file_type = sizeof(Number) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    Handle dataset(
        H5Dcreate2(group, layout.name.c_str(), file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
        H5Dclose, action);
    write_attribute(dataset, "_FillValue", std::vector<Number>{missing_value<Number>});
    if (!layout.units.empty()) {
        write_attribute(dataset, "units", layout.units);
    }
    write_attribute(dataset, "long_name", layout.name);
    if (times == 0) {
        write_attribute(dataset, "coordinates", "time");
    }
    const std::vector<std::string> scales = scales_of(grid, layout, times);
    for (std::size_t dimension = 0; dimension < scales.size(); ++dimension) {
        const Handle scale(H5Dopen2(file, scales[dimension].c_str(), H5P_DEFAULT), H5Dclose, action);
        check(H5DSattach_scale(dataset, scale, static_cast<unsigned>(dimension)), action);
    }
    const std::string link = "/" + layout.name;
    check(H5Lcreate_hard(group, layout.name.c_str(), file, link.c_str(), H5P_DEFAULT, H5P_DEFAULT),
          "link " + link);
    return dataset;
}

}  // namespace

std::vector<hsize_t> chunk_shape(std::vector<hsize_t> shape, std::size_t bytes_per_value) {
    const auto bytes = [&] {
        return std::accumulate(shape.begin(), shape.end(), hsize_t{bytes_per_value}, std::multiplies<>());
    };
    while (bytes() > chunk_bytes) {
        hsize_t &longest = *std::max_element(shape.begin(), shape.end());
        longest = (longest + 1) / 2;
    }
    return shape;
}

FieldLayout layout_of(const FieldResult &field) {
    return {field.name, field.components, field.unit, &field.values};
}

std::vector<FieldLayout> field_layouts(const Config &config, const Solution &solution) {
    std::vector<FieldLayout> layouts;
    if (written_fields(config).empty()) {
        return layouts;
    }
    for (const FieldResult &field : solution.fields) {
        layouts.push_back(layout_of(field));
    }
    return layouts;
}

Handle create_field(hid_t file, hid_t group, const Config &config, const Grid &grid,
                    const FieldLayout &layout, hsize_t times) {
    return std::visit(
        [&](const auto &numbers) {
            using Number = typename std::decay_t<decltype(numbers)>::value_type;
            return create<Number>(file, group, config.output.compression, grid, layout, times);
        },
        *layout.values);
}

void write_field(hid_t file, hid_t group, const Config &config, const Grid &grid, const FieldLayout &layout) {
    const std::string action = "write " + layout.name;
    Handle dataset = create_field(file, group, config, grid, layout, 0);
    std::visit(
        [&](const auto &numbers) {
            using Number = typename std::decay_t<decltype(numbers)>::value_type;
            if (config.output.compression == Compression::none) {
                check(H5Dwrite(dataset, native_type<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()),
                      action);
                return;
            }
            const std::vector<hsize_t> shape = shape_of(grid, layout);
            write_chunks(dataset,
                         {reinterpret_cast<const unsigned char *>(numbers.data()),
                          sizeof(Number),
                          shape,
                          chunk_shape(shape, sizeof(Number)),
                          {reinterpret_cast<const unsigned char *>(&missing_value<Number>), sizeof(Number)},
                          deflate_level(config.output.compression)},
                         action);
        },
        *layout.values);
    dataset.close(action);
}

}  // namespace perdure::hdf5
