// What is watched of a system, from fields, by Eigen's arrays: shares with the program the texts of the case file and the grid.
#pragma once

#include <string>
#include <vector>

#include "solver/reference/reference.hpp"

namespace perdure::reference {

struct WatchedValue {
    std::string name;  // as the series of the program has it
    double value = 0.0;
};

/// Integrals, errors against exact solutions, and values at probes, of all points of a line after each other under one name, in the order
/// of the case file. Means and norms over cells: Eigen's sums. Points: bilinear or trilinear between the centres of cells, and beyond the
/// outermost centres by what is linear between the last two (Press et al., Numerical Recipes, section 3.6).
/// Throws Failure(differs_or_internal) for a formula that the reference cannot evaluate.
std::vector<WatchedValue> watch_fields(const Problem &problem, const std::vector<std::vector<double>> &fields,
                                       double time);

}  // namespace perdure::reference
