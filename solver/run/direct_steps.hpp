// The steps that solve the coarsest level directly: transforms and products (kernels/multigrid/fast_transform.h, transform.h).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common.h"

namespace perdure {

/// Whether an axis of the coarsest level has products, which need another copy of u to write to and tables of modes.
bool has_products(const hierarchy_t &hierarchy);

/// From b to a copy of u, or, `into_x`, to what x of the run gains.
std::vector<step_t> direct_steps(const hierarchy_t &hierarchy, bool into_x);

}  // namespace perdure
