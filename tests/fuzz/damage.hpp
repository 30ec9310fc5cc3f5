// Damages to HDF5 files that the library's checks of signatures and checksums let pass.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/fuzz/bytes.hpp"

namespace perdure::fuzz {

using Image = std::vector<std::uint8_t>;

/// A valid file, and where its blocks begin: the superblock, what has a signature, object headers of version 1.
struct WholeFile {
    explicit WholeFile(Image file = {});
    Image bytes;
    std::vector<std::size_t> blocks;
};

/// Applies at most `most` damages as `bytes` says: fields of superblock, header messages, B-tree nodes, chunk indices and
/// heaps get other values, addresses of other blocks, or bits flipped; the file is cut or one block copied over another. The
/// checksums (lookup3) of blocks that were hit are made right again unless the damage asks for a wrong one; where they lie
/// is found by looking for them in the whole file.
Image damaged(const WholeFile &whole, Bytes &bytes, std::size_t most);

}  // namespace perdure::fuzz
