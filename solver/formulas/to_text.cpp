#include "solver/formulas/to_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "solver/formulas/precedence.hpp"

namespace perdure::formulas {
namespace {

bool is_condition(const Node &node) {
    return node.name == "if" && node.children.size() == 3 && node.behind_semicolon == 0;
}

Binding outermost(const Node &node) {
    if (node.kind != NodeKind::call) {
        return Binding::value;
    }
    if (node.name == "not") {
        return Binding::negation;
    }
    return node.name == "negate" ? Binding::sign : binding_of(node.name);
}

/// Operators that group from the left: a - b - c.
bool groups_from_left(Binding binding) {
    return binding != Binding::value && binding < Binding::sign && binding != Binding::negation;
}

void write(const Node &node, Binding loosest, std::string &text);

void write_list(const Node &node, std::string &text) {
    text += node.name;
    text += '(';
    const std::size_t semicolon = node.children.size() - static_cast<std::size_t>(node.behind_semicolon);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        text += i == 0 ? "" : i == semicolon ? "; " : ", ";
        write(node.children[i], Binding::condition, text);
    }
    text += ')';
}

/// a - b - c: a sum of 10,000 terms is a tree of 10,000 levels on the left side.
void write_chain(const Node &node, std::string &text) {
    std::vector<const Node *> operations{&node};
    const Node *first = &node.children.front();
    const auto continues = [&](Binding above) {
        const Binding binding = outermost(*first);
        const bool chains = above == Binding::comparison ? binding > above : binding >= above;
        return chains && groups_from_left(binding);
    };
    while (continues(outermost(*operations.back()))) {
        operations.push_back(first);
        first = &first->children.front();
    }
    const Binding innermost = outermost(*operations.back());
    write(*first, innermost == Binding::comparison ? next(innermost) : innermost, text);
    std::for_each(operations.rbegin(), operations.rend(), [&](const Node *operation) {
        const Binding binding = outermost(*operation);
        text += binding == Binding::product ? operation->name : fmt::format(" {} ", operation->name);
        write(operation->children.back(), next(binding), text);
    });
}

/// `loosest`: what binds less tightly is put in brackets.
void write(const Node &node, Binding loosest, std::string &text) {
    if (node.kind == NodeKind::number) {
        text += fmt::format("{}", node.number);
        return;
    }
    if (node.kind == NodeKind::name) {
        text += node.name;
        return;
    }
    if (is_condition(node) && loosest == Binding::condition) {
        write(node.children[0], next(Binding::condition), text);
        text += " ? ";
        write(node.children[1], Binding::condition, text);
        text += " : ";
        write(node.children[2], Binding::condition, text);
        return;
    }
    const Binding binding = outermost(node);
    if (binding == Binding::value) {
        write_list(node, text);
        return;
    }
    const bool brackets = binding < loosest;
    text += brackets ? "(" : "";
    if (binding == Binding::power) {
        write(node.children[0], next(Binding::power), text);
        text += '^';
        write(node.children[1], Binding::sign, text);
    } else if (groups_from_left(binding)) {
        write_chain(node, text);
    } else {
        text += binding == Binding::sign ? "-" : "not ";
        write(node.children[0], binding, text);
    }
    text += brackets ? ")" : "";
}

}  // namespace

std::string to_text(const Node &tree) {
    std::string text;
    write(tree, Binding::condition, text);
    return text;
}

}  // namespace perdure::formulas
