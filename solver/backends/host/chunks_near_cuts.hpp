// Of the chunks of a rank, those with cells that others look at: kernels/cut_first.h.
#pragma once

#include <cstdint>

#include "kernels/parameters.h"
#include "kernels/rank_place.h"
#include "solver/backends/host/rank_arrays.hpp"
#include "solver/backends/host/rank_messages.hpp"

namespace perdure::host {

/// Chunks at the begin and at the end of a rank's part.
struct ChunksNearCuts {
    std::uint32_t first, last;
};

/// Of `rank` among `ranks`, whose arrays these are; `grid`: that of the run.
ChunksNearCuts chunks_near_cuts(const RankArrays &arrays, int rank, int ranks, const run_parameters_t &grid);

/// What the kernels of a rank know of them, and how many of their groups send: as many as an array has messages, up to RANK_SENDERS.
void set_chunks_near_cuts(rank_place_t &place, const RankArrays &arrays, const RankMessages &messages,
                          const run_parameters_t &grid);

}  // namespace perdure::host
