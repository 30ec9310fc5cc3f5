#include "solver/formulas/walk.hpp"

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
        for (auto child = node->children.rbegin(); child != node->children.rend(); ++child) {
            waiting.push_back(&*child);
        }
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
