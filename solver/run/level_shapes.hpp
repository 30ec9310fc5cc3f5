// The extents of the levels of a hierarchy.
#pragma once

#include <vector>

#include "solver/run/direct_level.hpp"
#include "solver/run/multigrid_levels.hpp"

namespace perdure {

Extents extents_of(const FinestLevel &finest);

/// All levels down to COARSEST_CELLS.
std::vector<LevelShape> level_shapes(const FinestLevel &finest);

}  // namespace perdure
