// Estimates before a run the smallest residual that rounding allows.
#pragma once

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Estimate of the smallest ||b - Au|| / ||b|| (L2) that a steady problem can reach in this precision:
/// epsilon ||D u|| / ||b||, D the diagonal of A, with the size of u taken from the side values and from f
/// over the smallest eigenvalue of a box.
double estimate_relative_floor(const Grid &grid, const Field &field, const ActiveCells &cells,
                               Precision precision);

}  // namespace perdure
