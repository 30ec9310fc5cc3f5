// The terms of a system's sides, all of them together.
#pragma once

#include <array>
#include <vector>

#include "solver/systems/system.hpp"

namespace perdure::systems {

/// arrange() with what the sides of all fields need; their places become those in the result.
Graph arrange_sides(const Graph &graph, std::vector<std::array<SystemSideTerms, 6>> &sides_of);

}  // namespace perdure::systems
