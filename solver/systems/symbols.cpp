#include "solver/systems/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/formulas/functions.hpp"
#include "solver/formulas/names.hpp"
#include "solver/formulas/walk.hpp"

namespace perdure::systems {
namespace {

std::string in_words(Symbol::Kind kind) {
    switch (kind) {
        case Symbol::Kind::number:
            return "a constant";
        case Symbol::Kind::coordinate:
            return "a coordinate";
        case Symbol::Kind::time:
            return "the time";
        case Symbol::Kind::field:
            return "a field";
        case Symbol::Kind::parameter:
            return "a parameter";
        case Symbol::Kind::coefficient:
            return "a coefficient";
        case Symbol::Kind::part:
            return "a part under 'let'";
    }
    return {};
}

/// As messages call it.
std::string place_of(FormulaUse use) {
    switch (use) {
        case FormulaUse::rate:
            return "an equation";
        case FormulaUse::part:
            return "a part under 'let'";
        case FormulaUse::side:
            return "a formula at a side";
        case FormulaUse::initial:
            return "an initial value";
        case FormulaUse::watched:
            return "a watched formula";
        case FormulaUse::exact:
            return "an exact solution";
        case FormulaUse::stop:
            return "time.stop_when";
        case FormulaUse::value:
            return "a value of each cell";
        case FormulaUse::factor:
            return "a factor, which depends only on t";
    }
    return {};
}

}  // namespace

bool parse_formula(const FormulaText &text, formulas::Node &tree, FormulaFindings &findings) {
    try {
        tree = formulas::parse(text.text);
        return true;
    } catch (const formulas::FormulaError &error) {
        findings.error(text, error.begin(), error.what());
        return false;
    }
}

Symbols::Symbols(const SystemConfig &config, int dimensions, FormulaFindings &findings)
    : dimensions_(dimensions) {
    for (const formulas::BuiltIn &built_in : formulas::built_ins()) {
        const std::size_t axis = std::string_view("xyz").find(built_in.name);
        const Symbol::Kind kind = built_in.value.has_value() ? Symbol::Kind::number
                                  : axis < 3                 ? Symbol::Kind::coordinate
                                                             : Symbol::Kind::time;
        symbols_[std::string(built_in.name)] = {kind, axis < 3 ? static_cast<int>(axis) : 0,
                                                built_in.value.value_or(0.0)};
    }
    for (std::size_t i = 0; i < config.fields.size(); ++i) {
        add(config.fields[i].name, {Symbol::Kind::field, static_cast<int>(i), 0.0}, config.fields[i].position,
            findings);
    }
    for (std::size_t i = 0; i < config.parameters.size(); ++i) {
        const auto given = config.parameter_positions.find(config.parameters[i].first);
        add(config.parameters[i].first, {Symbol::Kind::parameter, static_cast<int>(i), 0.0},
            given == config.parameter_positions.end() ? TextPosition{} : given->second, findings);
    }
    for (std::size_t i = 0; i < config.coefficients.size(); ++i) {
        add(config.coefficients[i].first, {Symbol::Kind::coefficient, static_cast<int>(i), 0.0},
            config.coefficients[i].second.position, findings);
    }
    parts_.reserve(config.parts.size());
    for (std::size_t i = 0; i < config.parts.size(); ++i) {
        const auto &[name, text] = config.parts[i];
        add(name, {Symbol::Kind::part, static_cast<int>(i), 0.0}, text.position, findings);
        Part &part = parts_.emplace_back();
        part.name = name;
        part.text = text;
        part.parsed = parse_formula(text, part.tree, findings);
        describe(part);
    }
}

void Symbols::add(const std::string &name, const Symbol &symbol, const TextPosition &position,
                  FormulaFindings &findings) {
    const std::string why_not = formulas::why_not_a_name(name);
    if (!why_not.empty()) {
        findings.error(position, why_not);
        return;
    }
    const auto [found, is_new] = symbols_.emplace(name, symbol);
    if (!is_new) {
        findings.error(position, fmt::format("'{}' is {} and also {}; give one of them another name", name,
                                             in_words(found->second.kind), in_words(symbol.kind)));
    }
}

/// What the part itself contains, and what those do that it uses.
void Symbols::describe(Part &part) const {
    if (!part.parsed) {
        return;
    }
    for (const formulas::Node *node : formulas::all_nodes(part.tree)) {
        const formulas::Function *function =
            node->kind == formulas::NodeKind::call ? formulas::find_function(node->name) : nullptr;
        if (function != nullptr) {
            part.differentiates =
                part.differentiates || function->role == formulas::FunctionRole::differential;
            part.has_noise = part.has_noise || function->role == formulas::FunctionRole::noise;
        }
        const Symbol *symbol = node->kind == formulas::NodeKind::name ? find(node->name) : nullptr;
        if (symbol == nullptr) {
            continue;
        }
        if (symbol->kind == Symbol::Kind::part && &parts_[symbol->index] != &part) {
            part.differentiates = part.differentiates || parts_[symbol->index].differentiates;
            part.has_noise = part.has_noise || parts_[symbol->index].has_noise;
            part.needs_run = part.needs_run || parts_[symbol->index].needs_run;
        }
        part.needs_run = part.needs_run || symbol->kind == Symbol::Kind::field ||
                         symbol->kind == Symbol::Kind::coefficient || symbol->kind == Symbol::Kind::time;
    }
    part.needs_run = part.needs_run || part.differentiates || part.has_noise;
}

/// What a symbol is that may not stand in a formula; empty: it may.
std::string Symbols::why_not(const Symbol &symbol, FormulaUse use, int part) const {
    if (symbol.kind == Symbol::Kind::part) {
        if (use == FormulaUse::part && symbol.index >= part) {
            return symbol.index == part ? "this part itself" : "a part that is defined further down";
        }
        if ((use == FormulaUse::side || use == FormulaUse::exact) && parts_[symbol.index].differentiates) {
            return "a part with derivatives";
        }
        if (use == FormulaUse::side && parts_[symbol.index].has_noise) {
            return "a part with noise";
        }
        if (use == FormulaUse::initial && parts_[symbol.index].needs_run) {
            return "a part with fields, coefficients, time, noise or derivatives";
        }
        return {};
    }
    const bool needs_run = symbol.kind == Symbol::Kind::field || symbol.kind == Symbol::Kind::coefficient;
    return use == FormulaUse::initial && needs_run ? in_words(symbol.kind) : "";
}

std::map<std::string, Symbol> Symbols::symbols_in(const formulas::Node &tree) const {
    std::map<std::string, Symbol> symbols;
    for (const formulas::Node *name : formulas::names_in(tree)) {
        const Symbol *symbol = find(name->name);
        if (symbol != nullptr) {
            symbols[name->name] = *symbol;
        }
    }
    return symbols;
}

/// Whether each name stands for something, and each call is of a function.
bool Symbols::all_known(const formulas::Node &tree) const {
    const std::vector<const formulas::Node *> nodes = formulas::all_nodes(tree);
    return std::all_of(nodes.begin(), nodes.end(), [&](const formulas::Node *node) {
        return node->kind == formulas::NodeKind::name   ? find(node->name) != nullptr
               : node->kind == formulas::NodeKind::call ? formulas::find_function(node->name) != nullptr
                                                        : true;
    });
}

void Symbols::check(const FormulaText &text, const formulas::Node &tree, FormulaUse use,
                    FormulaFindings &findings, int part) const {
    formulas::AllowedNames allowed;
    allowed.place = place_of(use);
    allowed.time = use != FormulaUse::initial && use != FormulaUse::value;
    allowed.places = use != FormulaUse::factor;
    allowed.derivatives = use == FormulaUse::rate || use == FormulaUse::part || use == FormulaUse::watched;
    allowed.noise = use == FormulaUse::rate || use == FormulaUse::part;
    allowed.dimensions = dimensions_;
    // All names are for messages about one that is unknown: of thousands of parts, few have one.
    for (const auto &[name, symbol] : all_known(tree) ? symbols_in(tree) : symbols_) {
        if (formulas::find_built_in(name) != nullptr) {
            continue;
        }
        const std::string what = why_not(symbol, use, part);
        if (what.empty()) {
            allowed.names.push_back(name);
        } else {
            allowed.elsewhere.emplace_back(name, what);
        }
    }
    for (const formulas::FormulaError &error : formulas::check_names(tree, allowed)) {
        findings.error(text, error.begin(), error.what());
    }
}

const Symbol *Symbols::find(const std::string &name) const {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? nullptr : &found->second;
}

}  // namespace perdure::systems
