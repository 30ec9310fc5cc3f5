// How a level is cut into tiles for restriction.
#pragma once

#include "kernels/common.h"
#include "solver/run/direct_level.hpp"

namespace perdure {

/// Of all tiles that fit a group, those by which `groups` groups are through first with a level of n cells that is halved
/// along some axes, each group with one tile after the other and each item with one column.
tile_t choose_tile(int dimensions, const Extents &n, const Extents &halved, std::uint32_t groups);

/// Cells of the next level in the part of a column that an item restricts where a level has fields: as few pairs of residuals one behind the
/// other as items for `groups` groups allow. 0: tiles, which save a barrier where there are few cells.
std::uint32_t choose_segment(int dimensions, const Extents &n, const Extents &halved, std::uint32_t groups);

}  // namespace perdure
