// Whether two trees are equal, wherever their texts stood.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/formulas/walk.hpp"

namespace perdure::formulas {

inline bool same_tree(const Node &a, const Node &b) {
    const std::vector<const Node *> nodes = all_nodes(a);
    const std::vector<const Node *> others = all_nodes(b);
    bool same = nodes.size() == others.size();
    for (std::size_t i = 0; same && i < nodes.size(); ++i) {
        const Node &node = *nodes[i];
        const Node &other = *others[i];
        same = node.kind == other.kind && node.number == other.number && node.name == other.name &&
               node.children.size() == other.children.size() &&
               node.behind_semicolon == other.behind_semicolon;
    }
    return same;
}

}  // namespace perdure::formulas
