// Values and derivatives of a graph in one cell.
#pragma once

#include <array>
#include <vector>

#include "solver/systems/graph.hpp"

namespace perdure::systems {

/// d value / d each argument there: 0 where it jumps.
std::array<double, 3> slopes_of(Operation operation, double a, double b, double c);

/// d terms[root] / d terms[i] for each term up to root, by one sweep backwards (Griewank and Walther 2008, section 3.2). `values`: of all
/// terms up to root.
std::vector<double> derivatives(const Graph &graph, int root, const std::vector<double> &values);

}  // namespace perdure::systems
