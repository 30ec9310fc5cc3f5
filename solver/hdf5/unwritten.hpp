// Finds the parts of a dataset that no program has written: HDF5 returns the fill value for them, usually 0.
#pragma once

#include <optional>
#include <string>

#include "solver/hdf5/open_dataset.hpp"

namespace perdure::hdf5 {

/// The storage that a dataset lacks.
struct Unwritten {
    std::string what;        // "3 of 16 chunks were never written, the first at [0:2, 4:6]"
    std::string reads_as;    // what HDF5 returns for them, "0"
    bool filled_on_purpose;  // the file sets a fill value that is a number
};

/// Nothing when all storage of the dataset is allocated. Storage that is allocated before it is written (compact datasets,
/// early allocation, the rest of a chunk that was written in part) counts as written: the file does not tell.
/// Throws Error when the file is damaged.
std::optional<Unwritten> find_unwritten(const OpenDataset &source);

}  // namespace perdure::hdf5
