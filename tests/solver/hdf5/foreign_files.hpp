// HDF5 files as others may write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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

/// How an 8 x 6 image was made and how much of it was written.
struct PartialDataset {
    hid_t type = H5T_STD_U8LE;
    std::vector<hsize_t> chunk = {};  // empty: contiguous
    bool compact = false;
    bool unlimited = false;     // along the first axis
    bool compressed = false;    // chunks only
    bool latest = false;        // the file format of the library's version, with its other indices of chunks
    hsize_t rows_at_first = 8;  // fewer: it is extended after it was written
    hsize_t written_rows = 0;
    std::optional<double> fill = std::nullopt;  // set on purpose
};

/// New file with /image as described; written values are 1.
void add_partial_dataset(const std::filesystem::path &path, const PartialDataset &made);

/// Property list of one external file `name`.
hdf5::Handle external_storage(const char *name, hsize_t bytes);

/// Virtual dataset /`name` of 2 x 3 doubles that maps /image of `source`.
void add_virtual_dataset(hid_t file, const char *name, const std::filesystem::path &source);

}  // namespace perdure::tests
