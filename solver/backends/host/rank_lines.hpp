// A transposition among ranks, each of which has planes across the last axis of a level and is to have lines along it: which pieces go where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perdure::host {

/// Pieces of a buffer that are sent to a rank or received from it, all of the same size and equally far from each other; in bytes.
struct PiecesOfRank {
    int rank;
    std::size_t begin, bytes, apart;
    std::size_t count;
};

/// What one rank sends and receives: by rank, beginning with the next one, so that not all send to the same one.
struct LineTransfers {
    std::vector<PiecesOfRank> sent, received;
};

/// An array of which each rank has planes and is to have lines, or the other way round.
struct RankLines {
    std::uint32_t number;  // of kernels/rank_place.h
    std::size_t buffer;
    std::uint32_t
        stored;  // STORES_... where the step before it could store all values where they are needed, or 0
    LineTransfers transfers;
};

/// From planes to lines, of `rank`. Of an array that begins at byte `offset`, each rank has the planes up to its `plane_ends`, of `plane_bytes`
/// each, and gets of all planes the bytes up to its `line_ends`. The way back is the same with `sent` and `received` exchanged.
LineTransfers transfers_to_lines(const std::vector<std::int64_t> &plane_ends,
                                 const std::vector<std::size_t> &line_ends, std::size_t plane_bytes,
                                 std::size_t offset, int rank);

}  // namespace perdure::host
