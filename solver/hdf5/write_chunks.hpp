// Writes a chunked dataset whose chunks are encoded on all cores.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "solver/hdf5/hdf5.hpp"

namespace perdure::hdf5 {

/// Values in memory, the last index fastest, and how a dataset stores them.
struct ChunkedValues {
    const unsigned char *values;
    std::size_t bytes_per_value;
    std::vector<hsize_t> shape, chunk;
    std::span<const unsigned char> fill;  // the value that chunks hold beyond the end of the dataset
    int level;                            // of libdeflate
};

/// Writes all chunks in their order, so that the file does not depend on the number of threads. Two chunks a thread are in memory
/// at most. The library is unlocked while the next chunk is waited for. Throws Error.
void write_chunks(hid_t dataset, const ChunkedValues &source, const std::string &action);

}  // namespace perdure::hdf5
