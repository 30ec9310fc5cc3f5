// A device on the host that stands for several ranks, each on a GPU of its own: the kernel text with PERDURE_RANKS on emulated items, whose
// ranks have memory of their own and reach that of the others by its addresses.
#pragma once

#include <cstdint>
#include <memory>

#include "solver/backends/backend.hpp"

namespace perdure::tests {

/// It runs the kernels of emulated_rank_kernels.hpp; systems of equations on groups of one item.
/// What goes wrong.
struct RankFault {
    int silent = -1;            // the rank that takes part in no launch
    std::uint64_t dropped = 0;  // bits of the arrays that no rank sends: kernels/rank_place.h
    bool reaches_none = false;  // no rank stores to memory of another one but by messages
    bool too_few_near_cuts =
        false;  // of each end of a part a rank knows one chunk near the cut: it sends when that is computed
};
std::unique_ptr<Device> emulated_ranks(int ranks, int groups_of_each, const RankFault &fault = {});

}  // namespace perdure::tests
