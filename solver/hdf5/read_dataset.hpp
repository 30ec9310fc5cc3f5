// Reads input datasets from HDF5 files of any origin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "solver/problem/large_vector.hpp"

namespace perdure {

/// Values of a dataset in its own order (slowest index first).
struct Dataset {
    std::vector<std::int64_t> shape;
    LargeVector<double> values;
    std::string warning;  // about values that were never written, empty when there are none
};

/// Reads a dataset of any real or integer type. `shape` is what the grid expects (slowest first).
/// The file is first probed in a helper process with resource limits, so that a broken file cannot take the
/// solver down (main() calls probe_main() of probe.hpp first). Throws Failure(input_output): file missing,
/// unreadable, truncated, not HDF5. Throws Failure(bad_input): dataset missing (names the closest one there
/// is), not real or integer, wrong shape, reached through a link that is not hard, external storage or
/// virtual layout. Values that were never written are read as the file's fill value; `warning` says so unless the file sets
/// one on purpose that is a number. `file` may be memory_arrays_file (problem/memory_arrays.hpp).
Dataset read_dataset(const std::filesystem::path &file, const std::string &dataset,
                     const std::vector<std::int64_t> &shape);

/// The same for integer labels, part by part: use(labels, index of the first of them), in several threads at the same time and in any
/// order. A floating-point dataset is bad input, and so is one that was not written everywhere, unless the file sets a fill value on
/// purpose.
void read_labels(const std::filesystem::path &file, const std::string &dataset,
                 const std::vector<std::int64_t> &shape,
                 const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use);

/// Its shape alone, slowest axis first; empty for a single value.
std::vector<std::int64_t> shape_of_dataset(const std::filesystem::path &file, const std::string &dataset);

namespace hdf5 {

/// What the helper process does: opens the dataset, checks it and makes all calls of the HDF5 library that reading it takes. Returns
/// a warning or an empty text.
std::string check_dataset(const std::filesystem::path &file, const std::string &dataset,
                          const std::vector<std::int64_t> &shape, bool labels);

}  // namespace hdf5
}  // namespace perdure
