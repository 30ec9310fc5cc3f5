// The last passes over a graph before it is printed or run.
#pragma once

#include <array>
#include <vector>

#include "solver/systems/graph.hpp"

namespace perdure::systems {

struct Arranged {
    Graph graph;
    std::vector<int> roots;
};

/// Drops terms that no root needs, fuses products that are used once with the sum or difference that uses them, and orders terms
/// so that few values are kept at a time (after Sethi and Ullman 1970): first those of the first root, of two arguments first the
/// one that keeps more.
Arranged arrange(const Graph &graph, const std::vector<int> &roots);

/// Cells along x, y, z that what these roots need looks away.
std::array<int, 3> reach_of(const Graph &graph, const std::vector<int> &roots);

/// Of each term, whether one of the roots needs it; none of what is known.
std::vector<char> needed_terms(const Graph &graph, const std::vector<int> &roots,
                               const std::vector<int> &known = {});

}  // namespace perdure::systems
