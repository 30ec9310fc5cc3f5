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

constexpr std::size_t plain_chunk_bytes = 1 << 30;  // read in parts where it is not compressed
template <typename Number>
constexpr Number missing_value = std::numeric_limits<Number>::quiet_NaN();

/// Of libdeflate; tools/results/compression.txt has sizes and times.
int deflate_level(Compression compression) {
    constexpr int fast = 1;
    constexpr int small = 6;
    return compression == Compression::small ? small : fast;
}

/// z, y, x of a grid, or y, x, or x, and behind them the components of a vector.
std::vector<hsize_t> shape_of(const Grid &grid, const FieldLayout &layout) {
    std::vector<hsize_t> shape;
    for (int axis = grid.axes() - 1; axis >= 0; --axis) {
        shape.push_back(static_cast<hsize_t>(grid.cells[axis]));
    }
    if (layout.components > 1) {
        shape.push_back(static_cast<hsize_t>(layout.components));
    }
    return shape;
}

/// `in_time`: chunks hold one time each, so that those of snapshots can be taken over as they are, and more times can follow.
Handle field_properties(Compression compression, const std::vector<hsize_t> &shape,
                        std::size_t bytes_per_value, bool in_time) {
    Handle properties = dataset_properties();
    const bool compressed = compression != Compression::none;
    if (compressed || in_time) {
        auto chunk = chunk_shape(shape, bytes_per_value, compressed ? chunk_bytes : plain_chunk_bytes);
        if (in_time) {
            chunk.insert(chunk.begin(), 1);
        }
        check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "set the chunk shape");
        // Else the library fills each chunk in a memory of its own before it takes the values that all of it has.
        check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), "leave out fill values");
    }
    if (compressed) {
        check(H5Pset_shuffle(properties), "set the shuffle filter");
        check(H5Pset_deflate(properties, static_cast<unsigned>(deflate_level(compression))),
              "set the deflate filter");
        check(H5Pset_fletcher32(properties), "set the checksum filter");
    }
    return properties;
}

/// Names of the scales of a field's axes in space, and of its components.
std::vector<std::string> scales_of(const Grid &grid, const FieldLayout &layout) {
    std::vector<std::string> scales{"x", "y", "z"};
    scales.resize(static_cast<std::size_t>(grid.axes()));
    std::reverse(scales.begin(), scales.end());
    if (layout.components > 1) {
        scales.emplace_back("comp");
    }
    return scales;
}

template <typename Number>
Handle create(hid_t file, hid_t group, Compression compression, const Grid &grid, const FieldLayout &layout,
              bool in_time) {
    const std::string action = std::string("write ") + layout.name;
    std::vector<hsize_t> shape = shape_of(grid, layout);
    const Handle properties = field_properties(compression, shape, sizeof(Number), in_time);
    check(H5Pset_fill_value(properties, native_type<Number>(), &missing_value<Number>), action);
    std::vector<hsize_t> largest = shape;
    if (in_time) {
        shape.insert(shape.begin(), 0);
        largest.insert(largest.begin(), H5S_UNLIMITED);
    }
    const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), largest.data()),
                       H5Sclose, action);
    const hid_t file_type = sizeof(Number) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    Handle dataset(
        H5Dcreate2(group, layout.name.c_str(), file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
        H5Dclose, action);
    write_attribute(dataset, "_FillValue", std::vector<Number>{missing_value<Number>});
    if (!layout.units.empty()) {
        write_attribute(dataset, "units", layout.units);
    }
    write_attribute(dataset, "long_name", layout.name);
    if (!in_time) {
        write_attribute(dataset, "coordinates", "time");
    }
    unsigned dimension = in_time ? 1 : 0;
    for (const std::string &name : scales_of(grid, layout)) {
        const Handle scale(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, action);
        check(H5DSattach_scale(dataset, scale, dimension++), action);
    }
    const std::string link = "/" + layout.name;
    check(H5Lcreate_hard(group, layout.name.c_str(), file, link.c_str(), H5P_DEFAULT, H5P_DEFAULT),
          "link " + link);
    return dataset;
}

}  // namespace

std::vector<hsize_t> chunk_shape(std::vector<hsize_t> shape, std::size_t bytes_per_value,
                                 std::size_t most_bytes) {
    const auto bytes = [&] {
        return std::accumulate(shape.begin(), shape.end(), hsize_t{bytes_per_value}, std::multiplies<>());
    };
    while (bytes() > most_bytes) {
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
                    const FieldLayout &layout, bool in_time) {
    return std::visit(
        [&](const auto &numbers) {
            using Number = typename std::decay_t<decltype(numbers)>::value_type;
            return create<Number>(file, group, config.output.compression, grid, layout, in_time);
        },
        *layout.values);
}

void write_field(hid_t file, hid_t group, const Config &config, const Grid &grid, const FieldLayout &layout) {
    const std::string action = "write " + layout.name;
    Handle dataset = create_field(file, group, config, grid, layout, false);
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
