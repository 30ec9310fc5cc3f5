#include "solver/systems/divide_rates.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "solver/case_file/config.hpp"

namespace perdure::systems {
namespace {

struct SignedTerm {
    const formulas::Node *node;
    bool negative;
};

/// In the order of the text.
std::vector<SignedTerm> terms_of_sum(const formulas::Node &tree) {
    std::vector<SignedTerm> terms, open{{&tree, false}};
    while (!open.empty()) {
        const SignedTerm term = open.back();
        open.pop_back();
        const formulas::Node &node = *term.node;
        const bool is_call = node.kind == formulas::NodeKind::call;
        if (is_call && node.children.size() == 2 && (node.name == "+" || node.name == "-")) {
            open.push_back({&node.children[1], term.negative != (node.name == "-")});
            open.push_back({node.children.data(), term.negative});
        } else if (is_call && node.name == "negate") {
            open.push_back({node.children.data(), !term.negative});
        } else {
            terms.push_back(term);
        }
    }
    return terms;
}

bool has_part(const SystemConfig &config, const std::string &name) {
    return std::ranges::any_of(config.parts, [&](const auto &part) { return part.first == name; });
}

bool has_field(const SystemConfig &config, const std::string &name) {
    return std::ranges::any_of(config.fields, [&](const SystemField &field) { return field.name == name; });
}

}  // namespace

std::set<std::string> ImplicitTerms::names_of(const formulas::Node &term) const {
    std::set<std::string> names;
    const std::vector<const formulas::Node *> in_term = formulas::names_in(term);
    for (const auto &[name, position] : config_.implicit_terms) {
        const std::string &wanted = name;
        const bool is_named =
            std::ranges::any_of(in_term, [&](const formulas::Node *node) { return node->name == wanted; });
        if (config_.fields[field_].name == name || (is_named && has_part(config_, name))) {
            names.insert(name);
        }
    }
    return names;
}

DividedRate ImplicitTerms::divide(const formulas::Node &tree, Lowering &lowering) const {
    DividedRate divided;
    TermBuilder &to = lowering.builder();
    for (const auto &[node, negative] : terms_of_sum(tree)) {
        const std::set<std::string> names = names_of(*node);
        const int term = lowering.scalar_formula(config_.fields[field_].rate, *node, field_);
        int &sum = names.empty() ? divided.others : divided.implicit;
        if (sum < 0) {
            sum = negative ? to.negate(term) : term;
        } else {
            sum = negative ? to.subtract(sum, term) : to.add(sum, term);
        }
        divided.names.insert(names.begin(), names.end());
    }
    for (int *const sum : {&divided.implicit, &divided.others}) {
        *sum = *sum < 0 ? to.number(0.0) : *sum;
    }
    return divided;
}

void refuse_names_without_terms(const SystemConfig &config, const std::set<std::string> &found,
                                FormulaFindings &findings) {
    for (const auto &[name, position] : config.implicit_terms) {
        if (found.contains(name)) {
            continue;
        }
        if (has_part(config, name) || has_field(config, name)) {
            findings.error(position, fmt::format("time.implicit: no term of an equation contains '{}' "
                                                 "directly; name a part that is used in an equation",
                                                 name));
            continue;
        }
        std::vector<std::string> known;
        for (const SystemField &field : config.fields) {
            known.push_back(field.name);
        }
        for (const auto &[part, text] : config.parts) {
            known.push_back(part);
        }
        const std::string suggestion = closest(name, known);
        findings.error(
            position, fmt::format("time.implicit: there is no part or field '{}'{}", name,
                                  suggestion.empty() ? "" : fmt::format("; did you mean '{}'?", suggestion)));
    }
}

}  // namespace perdure::systems
