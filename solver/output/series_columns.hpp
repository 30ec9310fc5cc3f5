// The columns of what a run watches.
#pragma once

#include "solver/output/series.hpp"
#include "solver/systems/watch.hpp"

namespace perdure {

/// Variables without values, in the order of the columns. `dimensions`: of the grid.
Series series_without_rows(const systems::Watch &watch, int dimensions);

}  // namespace perdure
