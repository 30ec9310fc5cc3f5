// The index of the chunks of a dataset, in a file that is encoded in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "solver/hdf5/file_bytes.hpp"

namespace perdure::hdf5 {

struct IndexedChunk {
    Extent origin;  // of its first value
    std::uint32_t bytes = 0;
    std::uint64_t address = 0;  // in the file
};

/// Puts a B-tree of version 1 at the end of `file` and returns the address of its root. `chunks`: at least one, in the order of their
/// origins, the last index fastest. `end`: the origin behind the last chunk.
std::uint64_t put_chunk_index(FileBytes &file, std::span<const IndexedChunk> chunks, const Extent &end,
                              std::size_t bytes_per_value);

/// Of the dataset of a field, with the axis of time where it has one, and of its chunks, each of one time.
Extent extent_of(const FieldStorage &field);
Extent chunk_in_time(const FieldStorage &field);

/// The index of a field in time whose values have their places in the file. Its chunks are whole in all axes of space but the first.
std::uint64_t put_index_of_places(FileBytes &file, const FieldStorage &field, std::size_t bytes_per_value);

}  // namespace perdure::hdf5
