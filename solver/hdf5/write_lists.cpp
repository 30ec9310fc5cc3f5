#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

/// For lists of text, which the library converts through memory of its own: unless it is told otherwise it fetches 1 MiB for each list
/// and gives it back.
Handle transfer_of_lists(const std::string &action) {
    constexpr std::size_t bytes = 1 << 16;
    Handle properties(H5Pcreate(H5P_DATASET_XFER), H5Pclose, action);
    check(H5Pset_buffer(properties, bytes, nullptr, nullptr), action);
    return properties;
}

Handle write_values(hid_t parent, const char *name, hid_t file_type, hid_t memory_type, std::size_t count,
                    const void *values) {
    const std::string action = std::string("write ") + name;
    const hsize_t extent = count;
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, action);
    Handle dataset(H5Dcreate2(parent, name, file_type, space, H5P_DEFAULT, dataset_properties(), H5P_DEFAULT),
                   H5Dclose, action);
    if (count > 0) {
        check(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, transfer_of_lists(action), values), action);
    }
    return dataset;
}

}  // namespace

Handle create_group(hid_t parent, const char *name) {
    const std::string action = std::string("write the group ") + name;
    const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, action);
    check(H5Pset_obj_track_times(properties, false), action);
    return {H5Gcreate2(parent, name, H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose, action};
}

Handle dataset_properties() {
    Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "describe a dataset");
    check(H5Pset_obj_track_times(properties, false), "describe a dataset");
    return properties;
}

Handle write_list(hid_t parent, const char *name, const std::vector<double> &values) {
    return write_values(parent, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

Handle write_list(hid_t parent, const char *name, const std::vector<std::int64_t> &values) {
    return write_values(parent, name, H5T_STD_I64LE, H5T_NATIVE_INT64, values.size(), values.data());
}

Handle write_list(hid_t parent, const char *name, const std::vector<std::string> &texts) {
    const Handle type = variable_text_type();
    const std::vector<const char *> pointers = variable_texts(texts);
    return write_values(parent, name, type, type, pointers.size(),
                        static_cast<const void *>(pointers.data()));
}

}  // namespace perdure::hdf5
