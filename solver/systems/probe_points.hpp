// Points at which formulas are watched, and the cells that lie around them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kernels/watch_setup.h"
#include "solver/problem/problem.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::systems {

/// x, y, z of each: the first and the last of a line are its ends.
std::vector<std::array<double, 3>> points_of(const ProbeConfig &probe);

/// In words, with the extent of the grid; empty where the point lies in it or on a side.
std::string why_outside(const Grid &grid, const std::array<double, 3> &point);

/// Along each axis linear between the centres of two cells; between the outermost centre and a side that is not periodic, the line
/// through the last two centres goes on. What rounding leaves of a weight of 0 or 1 is taken for it.
watch_probe_t probe_at(const Grid &grid, const SystemConfig &config, const std::array<double, 3> &point,
                       int formula);

}  // namespace perdure::systems
