// A device on the host that stands for several ranks, each on a GPU of its own: the kernel text with PERDURE_RANKS on emulated items, whose
// ranks have memory of their own and reach that of the others by its addresses.
#pragma once

#include <memory>

#include "solver/backends/backend.hpp"

namespace perdure::tests {

/// It runs the kernels of emulated_rank_kernels.hpp; systems of equations on groups of one item.
std::unique_ptr<Device> emulated_ranks(int ranks, int groups_of_each);

}  // namespace perdure::tests
