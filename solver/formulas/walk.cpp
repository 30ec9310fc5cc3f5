#include "solver/formulas/walk.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace perdure::formulas {

std::vector<const Node *> all_nodes(const Node &tree) {
    std::vector<const Node *> nodes;
    std::vector<const Node *> waiting{&tree};
    while (!waiting.empty()) {
        const Node *const node = waiting.back();
        waiting.pop_back();
        nodes.push_back(node);
        std::transform(node->children.rbegin(), node->children.rend(), std::back_inserter(waiting),
                       [](const Node &child) { return &child; });
    }
    return nodes;
}

std::vector<const Node *> names_in(const Node &tree) {
    std::set<std::string_view> seen;
    std::vector<const Node *> names;
    for (const Node *node : all_nodes(tree)) {
        if (node->kind == NodeKind::name && seen.insert(node->name).second) {
            names.push_back(node);
        }
    }
    return names;
}

}  // namespace perdure::formulas
