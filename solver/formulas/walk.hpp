// Visits a tree without recursion, because a sum of 10,000 terms is a tree of 10,000 levels.
#pragma once

#include <vector>

#include "solver/formulas/tree.hpp"

namespace perdure::formulas {

/// Every node of the tree in the order of the text, each before its children; backwards, each behind its children.
std::vector<const Node *> all_nodes(const Node &tree);
std::vector<const Node *> all_nodes(Node &&tree) = delete;  // they would be gone

}  // namespace perdure::formulas
