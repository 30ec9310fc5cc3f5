// The messages that the kernels of ranks send each other, each on a device of its own, when they have changed an array: kernels/device_ranks.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
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

/// Those of `rank` among `ranks`; of exchanges that are `stored`, bits of rank_place_t, messages without bytes.
RankMessages messages_of(const RankArrays &arrays, int rank, int ranks, std::uint32_t stored = 0);

/// Doubles that a message of a reduction may have: of the sums of phases, of what is watched in chunks, or at probes.
std::uint64_t doubles_of_reduction(const KernelCall &call, const run_parameters_t &grid, std::uint32_t ranks);

/// What other ranks had not sent when rank `own` gave up waiting, e.g. "no message of rank 1: 2 of 36 with its cells are missing"; empty where
/// all is there. `arrived` and `counts`: those of rank_place_t; `signals`: the own words, those of cells before those of sums,
/// RANK_SIGNAL_BYTES apart.
std::string describe_missing_messages(std::uint32_t own, const std::vector<std::uint64_t> &arrived,
                                      const rank_counts_t &counts, const std::vector<std::uint64_t> &signals);

}  // namespace perdure::host
