// The extents of the levels of a hierarchy.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/run/direct_level.hpp"
#include "solver/run/multigrid_levels.hpp"

namespace perdure {

Extents extents_of(const FinestLevel &finest);

/// Of a side across that axis.
std::uint64_t face_cells(const Extents &n, int axis);

/// All levels down to COARSEST_CELLS.
std::vector<LevelShape> level_shapes(const FinestLevel &finest);

}  // namespace perdure
