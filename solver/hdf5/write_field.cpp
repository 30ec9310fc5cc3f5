#include <hdf5_hl.h>

#include <algorithm>
#include <array>
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
void write_values(hid_t file, hid_t group, const Config &config, const std::vector<hsize_t> &shape,
                  const std::vector<Number> &values) {
    const std::string action = "write u";
    const Number fill = std::numeric_limits<Number>::quiet_NaN();
    const Handle properties = field_properties(config.output.compression, shape, sizeof(Number));
    check(H5Pset_fill_value(properties, native_type<Number>(), &fill), action);
    const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                       action);
    const hid_t file_type = sizeof(Number) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    Handle dataset(H5Dcreate2(group, "u", file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                   action);
    check(H5Dwrite(dataset, native_type<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), action);
    write_attribute(dataset, "_FillValue", std::vector<Number>{fill});
    write_attribute(dataset, "units", config.output.units.value_or("1"));
    write_attribute(dataset, "long_name", "u");
    write_attribute(dataset, "coordinates", "time");
    constexpr std::array<const char *, 3> scales{"x", "y", "z"};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const Handle scale(H5Dopen2(file, scales[axis], H5P_DEFAULT), H5Dclose, action);
        check(H5DSattach_scale(dataset, scale, static_cast<unsigned>(shape.size() - 1 - axis)), action);
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

void write_field(hid_t file, hid_t group, const Config &config, const Grid &grid, const FieldValues &values) {
    std::vector<hsize_t> shape;
    for (int axis = grid.dimensions - 1; axis >= 0; --axis) {
        shape.push_back(static_cast<hsize_t>(grid.cells[axis]));
    }
    std::visit([&](const auto &numbers) { write_values(file, group, config, shape, numbers); }, values);
}

}  // namespace perdure::hdf5
