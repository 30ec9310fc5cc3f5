// HDF5 files as others may write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "solver/hdf5/hdf5.hpp"

namespace perdure::tests {

/// New file, closed when the handle goes.
hdf5::Handle create_file(const std::filesystem::path &path);

/// Dataset /`name` of `type`, filled with `values` (converted from double).
void add_dataset(hid_t file, const char *name, hid_t type, const std::vector<hsize_t> &shape,
                 const std::vector<double> &values);

/// 64 x 64 x 16 doubles that look like noise in gzip'd chunks with a checksum, /noise.
void add_compressed_noise(hid_t file);

/// Property list of one external file `name`.
hdf5::Handle external_storage(const char *name, hsize_t bytes);

/// Virtual dataset /`name` of 2 x 3 doubles that maps /image of `source`.
void add_virtual_dataset(hid_t file, const char *name, const std::filesystem::path &source);

}  // namespace perdure::tests
