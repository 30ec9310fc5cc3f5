#include "tests/solver/hdf5/foreign_files.hpp"

#include <numeric>

namespace perdure::tests {

using hdf5::check;
using hdf5::Handle;

namespace {

Handle space_of(const std::vector<hsize_t> &shape) {
    return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
            "make a space"};
}

Handle dataset_properties() {
    return {H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make properties"};
}

}  // namespace

Handle create_file(const std::filesystem::path &path) {
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "create a file"};
}

void add_dataset(hid_t file, const char *name, hid_t type, const std::vector<hsize_t> &shape,
                 const std::vector<double> &values) {
    const Handle dataset(H5Dcreate2(file, name, type, space_of(shape), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose, "create a dataset");
    check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write");
}

void add_compressed_noise(hid_t file) {
    const std::vector<hsize_t> shape{64, 64, 16};
    std::vector<double> values(64 * 64 * 16);
    std::uint64_t state = 1;
    for (double &value : values) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        value = static_cast<double>(state >> 40U);
    }
    const Handle properties = dataset_properties();
    const std::vector<hsize_t> chunk{16, 16, 16};
    check(H5Pset_chunk(properties, 3, chunk.data()), "chunk");
    check(H5Pset_deflate(properties, 4), "deflate");
    check(H5Pset_fletcher32(properties), "checksum");
    const Handle dataset(
        H5Dcreate2(file, "noise", H5T_IEEE_F64LE, space_of(shape), H5P_DEFAULT, properties, H5P_DEFAULT),
        H5Dclose, "create a dataset");
    check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write");
}

Handle external_storage(const char *name, hsize_t bytes) {
    Handle properties = dataset_properties();
    check(H5Pset_external(properties, name, 0, bytes), "set external storage");
    return properties;
}

void add_virtual_dataset(hid_t file, const char *name, const std::filesystem::path &source) {
    const Handle space = space_of({2, 3});
    const Handle properties = dataset_properties();
    check(H5Pset_virtual(properties, space, source.c_str(), "/image", space), "map");
    const Handle dataset(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                         H5Dclose, "create a dataset");
}

}  // namespace perdure::tests
