#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

Handle without_lock() {
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "open a file");
    check(H5Pset_file_locking(access, false, true), "open a file");
    return access;
}

}  // namespace

Handle create_file(const std::filesystem::path &path) {
    prepare_library();
    return {H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, without_lock()), H5Fclose, "create the file"};
}

Handle open_own_file(const std::filesystem::path &path) {
    prepare_library();
    return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, without_lock()), H5Fclose, "open '" + path.string() + "'"};
}

}  // namespace perdure::hdf5
