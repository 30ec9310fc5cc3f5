#include "solver/systems/jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "solver/case_file/yaml_tree.hpp"
#include "solver/formulas/walk.hpp"

namespace perdure::systems {
namespace {

using formulas::Node;
using formulas::NodeKind;

template <std::size_t count>
bool is_call_of(const Node &node, const std::array<std::string_view, count> &names) {
    return node.kind == NodeKind::call && std::find(names.begin(), names.end(), node.name) != names.end();
}

constexpr std::array<std::string_view, 11> steps{
    "<", "<=", ">", ">=", "==", "!=", "if", "floor", "ceil", "round", "sign"};
constexpr std::array<std::string_view, 8> derivatives{"lap", "grad", "dx", "dy", "dz", "dxx", "dyy", "dzz"};

class JumpCheck {
  public:
    JumpCheck(const SystemConfig &config, const Symbols &symbols, FormulaFindings &findings)
        : config_(config), symbols_(symbols), findings_(findings) {}

    void run() {
        for (const Part &part : symbols_.parts()) {
            warn(part.text, part.tree);
            differs_.push_back(any_of(part.tree, [&](const Node &node) { return differs(node); }));
            jump_.push_back(jump_in(part.tree, part.text.text));
        }
        for (const SystemField &field : config_.fields) {
            Node tree;
            FormulaFindings known;  // the formula was parsed before
            if (parse_formula(field.rate, tree, known)) {
                warn(field.rate, tree);
            }
        }
    }

  private:
    template <typename Test>
    static bool any_of(const Node &tree, const Test &test) {
        const std::vector<const Node *> nodes = formulas::all_nodes(tree);
        return std::any_of(nodes.begin(), nodes.end(), [&](const Node *node) { return test(*node); });
    }

    [[nodiscard]] const Symbol *symbol_of(const Node &node) const {
        return node.kind == NodeKind::name ? symbols_.find(node.name) : nullptr;
    }

    /// From cell to cell.
    [[nodiscard]] bool differs(const Node &node) const {
        const Symbol *const symbol = symbol_of(node);
        if (symbol == nullptr) {
            return node.kind == NodeKind::call && (node.name == "random" || node.name == "noise");
        }
        const auto index = static_cast<std::size_t>(symbol->index);
        return symbol->kind == Symbol::Kind::field || symbol->kind == Symbol::Kind::coordinate ||
               symbol->kind == Symbol::Kind::coefficient ||
               (symbol->kind == Symbol::Kind::part && index < differs_.size() && differs_[index]);
    }

    /// What jumps in a formula, in words; empty: nothing.
    [[nodiscard]] std::string jump_in(const Node &tree, const std::string &text) const {
        for (const Node *node : formulas::all_nodes(tree)) {
            const Symbol *const symbol = symbol_of(*node);
            if (is_call_of(*node, steps) && any_of(node->name == "if" ? node->children[0] : *node,
                                                   [&](const Node &inner) { return differs(inner); })) {
                return fmt::format("'{}'", shorten(text.substr(node->begin, node->end - node->begin)));
            }
            if (symbol != nullptr && symbol->kind == Symbol::Kind::coefficient &&
                config_.coefficients[symbol->index].second.kind == ValueSource::Kind::labels) {
                return fmt::format("'{}', which is given by labels", node->name);
            }
            const bool is_part = symbol != nullptr && symbol->kind == Symbol::Kind::part &&
                                 static_cast<std::size_t>(symbol->index) < jump_.size();
            if (is_part && !jump_[symbol->index].empty()) {
                return fmt::format("'{}'", node->name);
            }
        }
        return {};
    }

    void warn(const FormulaText &text, const Node &tree) {
        for (const Node *node : formulas::all_nodes(tree)) {
            if (!is_call_of(*node, derivatives)) {
                continue;
            }
            const std::string jump = jump_in(node->children[0], text.text);
            if (!jump.empty()) {
                findings_.warn(text, node->begin,
                               fmt::format("{}() differentiates a value that jumps from cell to cell ({}); "
                                           "such differences grow as the cells shrink. Write a coefficient "
                                           "that jumps in front of a gradient: div(a*grad(u))",
                                           node->name, jump));
            }
        }
    }

    const SystemConfig &config_;
    const Symbols &symbols_;
    FormulaFindings &findings_;
    std::vector<bool> differs_;      // of each part
    std::vector<std::string> jump_;  // of each part
};

}  // namespace

void warn_of_jumps(const SystemConfig &config, const Symbols &symbols, FormulaFindings &findings) {
    JumpCheck(config, symbols, findings).run();
}

}  // namespace perdure::systems
