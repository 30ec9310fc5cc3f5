// How a level is cut into tiles for restriction.
#pragma once

#include "kernels/common.h"
#include "solver/run/direct_level.hpp"

namespace perdure {

/// Of all tiles that fit a group, those by which `groups` groups are through first with a level of n cells that is halved
/// along some axes, each group with one tile after the other and each item with one column.
tile_t choose_tile(int dimensions, const Extents &n, const Extents &halved, std::uint32_t groups);

}  // namespace perdure
