#include "solver/reference/vector_terms.hpp"

#include <algorithm>

namespace perdure::reference {
namespace {

void append_multiplied(std::vector<VectorTerm> &terms, const Tokens &factor,
                       const std::vector<VectorTerm> &more) {
    for (VectorTerm term : more) {
        term.factor.emplace_back("*");
        term.factor.insert(term.factor.end(), factor.begin(), factor.end());
        terms.push_back(std::move(term));
    }
}

std::vector<VectorTerm> terms_of_product(const std::vector<Operand> &product, const NamedParts &parts) {
    const auto vector = std::ranges::find_if(product, [&](const Operand &operand) {
        return !operand.inverse && is_vector(operand.tokens, parts);
    });
    if (vector == product.end()) {
        refuse_formula("as a vector a product in which no factor is one");
    }
    Tokens factor{"(", "1"};
    for (auto operand = product.begin(); operand != product.end(); ++operand) {
        if (operand != vector) {
            factor.insert(factor.end(), {operand->inverse ? "/" : "*", "("});
            factor.insert(factor.end(), operand->tokens.begin(), operand->tokens.end());
            factor.emplace_back(")");
        }
    }
    factor.emplace_back(")");
    std::vector<VectorTerm> terms;
    append_multiplied(terms, factor, vector_terms(vector->tokens, parts));
    return terms;
}

}  // namespace

NamedParts read_parts(const SystemConfig &system) {
    NamedParts parts;
    for (const auto &[name, formula] : system.parts) {
        parts.emplace_back(name, read_tokens(formula.text));
    }
    return parts;
}

const Tokens *find_part(const NamedParts &parts, const std::string &name) {
    const auto part = std::ranges::find(parts, name, &NamedParts::value_type::first);
    return part == parts.end() ? nullptr : &part->second;
}

bool is_vector(TokenSpan formula, const NamedParts &parts) {
    for (std::size_t i = 0; i < formula.size(); ++i) {
        const Tokens *const part = find_part(parts, formula[i]);
        if (is_call(formula, i)) {
            if (formula[i] == "grad") {
                return true;
            }
            i = closing_bracket(formula, i + 1);
        } else if ((formula[i] == "(" && split_list(inside_brackets(formula, i)).size() > 1) ||
                   (part != nullptr && is_vector(*part, parts))) {
            return true;
        }
    }
    return false;
}

std::vector<VectorTerm> vector_terms(TokenSpan formula, const NamedParts &parts) {
    const std::vector<Operand> sum = split_sum(formula);
    if (sum.size() > 1 || sum[0].tokens.size() < formula.size()) {
        std::vector<VectorTerm> terms;
        for (const Operand &term : sum) {
            append_multiplied(terms, {"(", term.inverse ? "-1" : "1", ")"}, vector_terms(term.tokens, parts));
        }
        return terms;
    }
    const std::vector<Operand> product = split_product(formula);
    if (product.size() > 1) {
        return terms_of_product(product, parts);
    }
    if (formula.size() == 1 && find_part(parts, formula[0]) != nullptr) {
        return vector_terms(*find_part(parts, formula[0]), parts);
    }
    const bool gradient = formula.size() > 2 && is_call(formula, 0) && formula[0] == "grad";
    const std::size_t open = gradient ? 1 : 0;
    if (formula.size() < 3 || formula[open] != "(" || closing_bracket(formula, open) + 1 < formula.size()) {
        refuse_formula("'" + to_text(formula) + "' as a vector");
    }
    VectorTerm term{{"1"}, gradient, {}};
    for (const TokenSpan member : split_list(inside_brackets(formula, open))) {
        term.formulas.emplace_back(member.begin(), member.end());
    }
    if (term.formulas.size() == 1 && !gradient) {
        return vector_terms(term.formulas[0], parts);
    }
    return {term};
}

}  // namespace perdure::reference
