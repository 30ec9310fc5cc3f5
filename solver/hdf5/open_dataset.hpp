// Opens files and datasets for reading. Refuses unsupported files before it reads any value.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/failure.hpp"
#include "solver/hdf5/file_in_use.hpp"
#include "solver/hdf5/hdf5.hpp"

namespace perdure::hdf5 {

enum class NumberKind { integer, real };

/// A dataset of numbers that can be read: hard links only, data inside the file, filters that are there.
struct OpenDataset {
    Handle dataset;
    std::vector<std::int64_t> shape;  // slowest index first; empty for a scalar
    NumberKind kind;
    std::string type;   // as `float64`
    std::string place;  // "dataset '/u' in 'file.h5'", for messages
};

/// Throws Failure(input_output) unless `file` is a file; names the closest one in its folder.
void require_file(const std::filesystem::path &file);

/// Opens read-only. Throws Failure(input_output) when it is not HDF5, truncated or not readable, InUse when it is locked.
File open_file(const std::filesystem::path &file);

/// What to say of a file that the library refuses for `reason`: that it is `damaged`, or, where it does not know the version of a part, that
/// the file is of a later library, and how to convert it.
std::string unreadable_text(const std::filesystem::path &file, const std::string &damaged,
                            const std::string &reason);

/// Opens the dataset at the path `name`. Throws Failure(bad_input) when it is not there (with the closest
/// name and the datasets there are), is reached through a soft or external link, is stored elsewhere, needs a
/// filter that is not there, or does not hold integers or reals of 1 to 8 bytes. Throws Error when the file
/// is damaged.
OpenDataset open_dataset(hid_t file, const std::filesystem::path &path, const std::string &name);

/// Paths of the datasets that hard links lead to, sorted; at most `limit`. Throws Error when the file is damaged, and where its groups
/// are nested more than 100 deep or hold more than 100,000 objects.
std::vector<std::string> dataset_names(hid_t file, std::size_t limit);

/// Name of an HDF5 type as NumPy says it: `float64`, `uint8`, `int32 (big-endian)`; others: `string`,
/// `compound`.
std::string type_name(hid_t type);

/// Extent of a dataset, slowest first. Throws Error when it does not fit 63 bits.
std::vector<std::int64_t> shape_of(hid_t dataset);

/// `(100, 100, 50)`; a scalar is `()`.
std::string shape_text(const std::vector<std::int64_t> &shape);

}  // namespace perdure::hdf5
