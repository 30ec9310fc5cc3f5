// Encodes a small HDF5 file in memory, without the library: in any thread, while others use it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/hdf5/contents.hpp"

namespace perdure::hdf5 {

/// The bytes of a file that holds the tree, with the types that write_objects() gives. The format: superblock of version 0, object headers
/// of version 1, links as messages of the groups, which the library reads from version 1.8 on; see the "HDF5 File Format
/// Specification", version 2. Equal trees are equal bytes.
///
/// Empty where the format of these versions cannot hold the tree (a message beyond 64 KiB), and where a field that has no place in the file
/// yet has several chunks or an axis of time: those are for write_objects().
std::optional<std::vector<unsigned char>> encode_file(const Object &root);

struct EncodedObjects {
    std::vector<unsigned char> bytes;
    std::uint64_t root = 0;  // its address
};

/// The same without the superblock, for a file that has these bytes at `begin`, a multiple of 8.
std::optional<EncodedObjects> encode_objects(const Object &root, std::uint64_t begin);

}  // namespace perdure::hdf5
