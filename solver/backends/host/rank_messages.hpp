// The messages that the kernels of ranks send each other, each on a device of its own, when they have changed an array: kernels/device_ranks.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/rank_place.h"
#include "solver/backends/host/rank_arrays.hpp"

namespace perdure::host {

/// Bytes of a buffer to the same place in the memory of another rank; of none, the rank is only told that the phase is over.
struct RankMessage {
    int rank;
    std::size_t buffer, offset, bytes;
};

/// By the number of an array.
struct RankMessages {
    std::array<std::vector<RankMessage>, RANK_ARRAYS> sent;
    std::array<std::vector<std::uint32_t>, RANK_ARRAYS> arrivals;  // from each rank

    /// The bits of the arrays that have messages.
    [[nodiscard]] std::uint64_t exchanged() const;
};

/// Those of `rank` among `ranks`.
RankMessages messages_of(const RankArrays &arrays, int rank, int ranks);

/// Doubles that a message of a reduction may have: of the sums of phases, of what is watched in chunks, or at probes.
std::uint64_t doubles_of_reduction(const KernelCall &call, const run_parameters_t &grid, std::uint32_t ranks);

}  // namespace perdure::host
