#include <algorithm>
#include <numeric>

#include "solver/equations/equation.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::size_t plain_chunk_bytes = 1 << 30;  // read in parts where it is not compressed

/// Of libdeflate; tools/results/compression.txt has sizes and times.
int deflate_level(Compression compression) {
    constexpr int fast = 1;
    constexpr int small = 6;
    return compression == Compression::none ? 0 : compression == Compression::small ? small : fast;
}

/// z, y, x of a grid, or y, x, or x, and behind them the components of a vector.
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

std::size_t most_bytes_of_chunks(std::size_t bytes_of_field) {
    constexpr std::size_t chunks = 16;
    constexpr std::size_t least = 1 << 17;
    return bytes_of_field <= chunk_bytes ? chunk_bytes
                                         : std::clamp(bytes_of_field / chunks, least, chunk_bytes);
}

Extent chunk_shape(Extent shape, std::size_t bytes_per_value, std::size_t most_bytes) {
    const auto bytes = [&] {
        return std::accumulate(shape.begin(), shape.end(), hsize_t{bytes_per_value}, std::multiplies<>());
    };
    while (bytes() > most_bytes) {
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
            if (storage.level > 0 || in_time) {
                storage.chunk =
                    chunk_shape(storage.extent, sizeof(Number),
                                storage.level > 0 ? most_bytes_of_chunks(numbers.size() * sizeof(Number))
                                                  : plain_chunk_bytes);
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
