// Estimates before a run the smallest residual that rounding allows.
#pragma once

#include <string>
#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

struct RoundingFloor {
    double relative = 0.0;         // the smallest ||b - Au|| / ||b|| (L2); 0 where b is 0
    double right_hand_side = 0.0;  // ||b||
};

/// Estimate of what a steady problem can reach in this precision: epsilon ||D u|| / ||b||, D the diagonal of A, with the size of u
/// taken from the side values and from f over the smallest eigenvalue of a box.
RoundingFloor estimate_floor(const Grid &grid, const Field &field, const ActiveCells &cells,
                             Precision precision);

/// A warning where solver.rtol and atol ask a steady problem for less than that, with what it can reach; else empty. Of large grids and of
/// tolerances that float64 always reaches nothing is estimated.
std::string warn_of_rounding(const Config &config, const Problem &problem,
                             const std::vector<ActiveCells> &cells);

}  // namespace perdure
