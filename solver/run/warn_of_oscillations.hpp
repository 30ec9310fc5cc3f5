// Crank-Nicolson's steps hardly damp what changes fastest.
#pragma once

#include <string>
#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// What to tell before a run whose start excites oscillations that its steps leave at the first snapshot, or at the end where that comes
/// first; empty where there is nothing to tell.
///
/// A mode that decays at the rate lambda is multiplied by (1 - z / 2) / (1 + z / 2), z = dt lambda, in a step (Hairer and Wanner,
/// Solving Ordinary Differential Equations II, section IV.3): close to -1 for large z. A cell excites modes of about its own rate,
/// lambda = the sum of the magnitudes of its row, with the amplitude |du/dt| / lambda at the start: a quarter of a jump of u between
/// cells, next to nothing where u is smooth.
std::string warn_of_oscillations(const Config &config, const Problem &problem,
                                 const std::vector<ActiveCells> &cells);

}  // namespace perdure
