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

void add_partial_dataset(const std::filesystem::path &path, const PartialDataset &made) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make properties");
    if (made.latest) {
        check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "set the format");
    }
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "create a file");
    const Handle properties = dataset_properties();
    if (made.compact) {
        check(H5Pset_layout(properties, H5D_COMPACT), "set the layout");
    }
    if (!made.chunk.empty()) {
        check(H5Pset_chunk(properties, 2, made.chunk.data()), "chunk");
    }
    if (made.compressed) {
        check(H5Pset_deflate(properties, 4), "deflate");
    }
    if (made.fill) {
        check(H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &*made.fill), "set the fill value");
    }
    const std::vector<hsize_t> first{made.rows_at_first, 6};
    const std::vector<hsize_t> most{made.unlimited ? H5S_UNLIMITED : first[0], 6};
    const Handle space(H5Screate_simple(2, first.data(), most.data()), H5Sclose, "make a space");
    const Handle dataset(H5Dcreate2(file, "image", made.type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                         H5Dclose, "create a dataset");
    if (made.written_rows > 0) {
        const std::vector<hsize_t> start{0, 0};
        const std::vector<hsize_t> count{made.written_rows, 6};
        check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
              "select");
        const std::vector<double> ones(made.written_rows * 6, 1.0);
        check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, space_of(count), space, H5P_DEFAULT, ones.data()),
              "write");
    }
    if (made.rows_at_first < 8) {
        const std::vector<hsize_t> last{8, 6};
        check(H5Dset_extent(dataset, last.data()), "extend");
    }
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
