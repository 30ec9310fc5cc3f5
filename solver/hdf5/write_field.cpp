#include <hdf5_hl.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::size_t chunk_bytes = 1 << 20;
constexpr unsigned gzip_level = 1;  // after the shuffle, higher levels cost time and save next to nothing

Handle field_properties(Compression compression, const std::vector<hsize_t> &shape,
                        std::size_t bytes_per_value) {
    Handle properties = dataset_properties();
    if (compression == Compression::gzip) {
        const auto chunk = chunk_shape(shape, bytes_per_value);
        check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "set the chunk shape");
        check(H5Pset_shuffle(properties), "set the shuffle filter");
        check(H5Pset_deflate(properties, gzip_level), "set the gzip filter");
        check(H5Pset_fletcher32(properties), "set the checksum filter");
    }
    return properties;
}

template <typename Number>
void write_values(hid_t file, hid_t group, Compression compression, const std::vector<hsize_t> &shape,
                  const FieldLayout &layout, const std::vector<Number> &values) {
    const std::string action = std::string("write ") + layout.name;
    const Number fill = std::numeric_limits<Number>::quiet_NaN();
    const Handle properties = field_properties(compression, shape, sizeof(Number));
    check(H5Pset_fill_value(properties, native_type<Number>(), &fill), action);
    const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                       action);
    const hid_t file_type = sizeof(Number) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    Handle dataset(H5Dcreate2(group, layout.name, file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                   H5Dclose, action);
    check(H5Dwrite(dataset, native_type<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), action);
    write_attribute(dataset, "_FillValue", std::vector<Number>{fill});
    if (!layout.units.empty()) {
        write_attribute(dataset, "units", layout.units);
    }
    write_attribute(dataset, "long_name", layout.name);
    write_attribute(dataset, "coordinates", "time");
    std::vector<std::string> scales{"x", "y", "z"};
    scales.resize(shape.size() - (layout.components > 1 ? 1 : 0));
    std::reverse(scales.begin(), scales.end());
    if (layout.components > 1) {
        scales.emplace_back("comp");
    }
    for (std::size_t dimension = 0; dimension < shape.size(); ++dimension) {
        const Handle scale(H5Dopen2(file, scales[dimension].c_str(), H5P_DEFAULT), H5Dclose, action);
        check(H5DSattach_scale(dataset, scale, static_cast<unsigned>(dimension)), action);
    }
    dataset.close(action);
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

void write_field(hid_t file, hid_t group, const Config &config, const Grid &grid, const FieldLayout &layout,
                 const FieldValues &values) {
    std::vector<hsize_t> shape;
    for (int axis = grid.dimensions - 1; axis >= 0; --axis) {
        shape.push_back(static_cast<hsize_t>(grid.cells[axis]));
    }
    if (layout.components > 1) {
        shape.push_back(static_cast<hsize_t>(layout.components));
    }
    std::visit(
        [&](const auto &numbers) {
            write_values(file, group, config.output.compression, shape, layout, numbers);
        },
        values);
    const std::string link = std::string("/") + layout.name;
    check(H5Lcreate_hard(group, layout.name, file, link.c_str(), H5P_DEFAULT, H5P_DEFAULT), "link " + link);
}

}  // namespace perdure::hdf5
