#include <algorithm>
#include <numeric>

#include "solver/equations/equation.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

/// Of libdeflate; tools/results/compression.txt has sizes and times.
int deflate_level(Compression compression) {
    constexpr int fast = 1;
    constexpr int small = 6;
    return compression == Compression::none ? 0 : compression == Compression::small ? small : fast;
}

/// Of a field's axes in space, and of its components; of that of time none yet.
std::vector<std::string> scales_of(const Grid &grid, const FieldResult &field, bool in_time) {
    std::vector<std::string> scales{"/x", "/y", "/z"};
    scales.resize(static_cast<std::size_t>(grid.axes()));
    std::reverse(scales.begin(), scales.end());
    if (field.components > 1) {
        scales.emplace_back("/comp");
    }
    if (in_time) {
        scales.insert(scales.begin(), "");
    }
    return scales;
}

}  // namespace

Extent extent_of(const Grid &grid, const FieldResult &field) {
    Extent extent;
    for (int axis = grid.axes() - 1; axis >= 0; --axis) {
        extent.push_back(static_cast<hsize_t>(grid.cells[axis]));
    }
    if (field.components > 1) {
        extent.push_back(static_cast<hsize_t>(field.components));
    }
    return extent;
}

std::size_t bytes_per_value_of(const FieldResult &field) {
    return std::visit([](const auto &numbers) { return sizeof numbers[0]; }, field.values);
}

std::uint64_t bytes_of_extent(const Extent &extent, std::size_t bytes_per_value) {
    return std::accumulate(extent.begin(), extent.end(), std::uint64_t{bytes_per_value}, std::multiplies<>());
}

Extent plain_chunk(Extent extent, std::size_t bytes_per_value) {
    constexpr std::uint64_t most_bytes = 1 << 30;  // read in parts
    hsize_t &planes = extent.front();
    const std::uint64_t bytes_of_plane =
        bytes_of_extent(Extent(extent.begin() + 1, extent.end()), bytes_per_value);
    const hsize_t most_planes = std::max<hsize_t>(1, most_bytes / bytes_of_plane);
    const hsize_t chunks = (planes + most_planes - 1) / most_planes;
    planes = (planes + chunks - 1) / chunks;
    return extent;
}

std::size_t most_bytes_of_chunks(std::size_t bytes_of_field) {
    constexpr std::size_t chunks = 16;
    constexpr std::size_t least = 1 << 17;
    return bytes_of_field <= chunk_bytes ? chunk_bytes
                                         : std::clamp(bytes_of_field / chunks, least, chunk_bytes);
}

Extent chunk_shape(Extent shape, std::size_t bytes_per_value, std::size_t most_bytes) {
    while (bytes_of_extent(shape, bytes_per_value) > most_bytes) {
        hsize_t &longest = *std::max_element(shape.begin(), shape.end());
        longest = (longest + 1) / 2;
    }
    return shape;
}

std::vector<const FieldResult *> stored_fields(const Config &config, const Solution &solution) {
    std::vector<const FieldResult *> fields;
    for (const FieldResult &field : solution.fields) {
        if (!written_fields(config).empty()) {
            fields.push_back(&field);
        }
    }
    return fields;
}

FieldStorage &add_field(Object &cell_data, const Config &config, const Grid &grid, const FieldResult &field,
                        bool in_time) {
    return std::visit(
        [&](const auto &numbers) -> FieldStorage & {
            using Number = typename std::decay_t<decltype(numbers)>::value_type;
            FieldStorage storage{&field.values, extent_of(grid, field), {}, 0, in_time};
            storage.level = deflate_level(config.output.compression);
            if (storage.level > 0) {
                storage.chunk = chunk_shape(storage.extent, sizeof(Number),
                                            most_bytes_of_chunks(numbers.size() * sizeof(Number)));
            } else if (in_time) {
                storage.chunk = plain_chunk(storage.extent, sizeof(Number));
            }
            Object &added = cell_data.add(field.name, std::move(storage));
            added.set("_FillValue", std::vector<Number>{missing_value<Number>});
            if (!field.unit.empty()) {
                added.set("units", field.unit);
            }
            added.set("long_name", field.name);
            if (!in_time) {
                added.set("coordinates", "time");
            }
            added.scales = scales_of(grid, field, in_time);
            added.is_in_root_too = true;
            return std::get<FieldStorage>(added.data);
        },
        field.values);
}

}  // namespace perdure::hdf5
