// The parameters of the grid for kernels/grid.h.
#pragma once

#include <array>

#include "kernels/parameters.h"
#include "solver/problem/problem.hpp"
#include "solver/run/boxes.hpp"

namespace perdure {

/// `periodic`: along x, y, z.
void set_grid(const Grid &grid, const std::array<bool, 3> &periodic, const Boxes &boxes,
              run_parameters_t &out);

}  // namespace perdure
