#include <fmt/format.h>

#include <cmath>
#include <string>

#include "solver/systems/apply.hpp"
#include "solver/systems/arrange.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {
namespace {

/// A literal of type double with the same bits.
std::string literal(double number) {
    if (std::isinf(number)) {
        return number > 0.0 ? "INFINITY" : "-INFINITY";
    }
    std::string text = fmt::format("{}", number);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string offset_of(const Term &term) {
    return fmt::format("{}, {}, {}", term.offset[0], term.offset[1], term.offset[2]);
}

/// What stands in the brackets of the operation.
std::string arguments_text(const Term &term) {
    switch (term.operation) {
        case Operation::NUMBER:
            return literal(term.number);
        case Operation::TIME:
            return {};
        case Operation::PARAMETER:
            return fmt::format("{}", term.index);
        case Operation::FIELD:
        case Operation::COEFFICIENT:
        case Operation::COORDINATE:
        case Operation::RANDOM:
        case Operation::NOISE:
            return fmt::format("{}, {}", term.index, offset_of(term));
        default:
            break;
    }
    std::string text;
    for (int k = 0; k < arguments_of(term.operation); ++k) {
        text += fmt::format("{}r{}", k > 0 ? ", " : "", term.arguments[k]);
    }
    return text;
}

}  // namespace

std::string print_terms(const Graph &graph, const std::vector<int> &roots, const std::vector<int> &known) {
    const std::vector<char> needed = needed_terms(graph, roots, known);
    std::string text;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        if (needed[i] != 0) {
            const Term &term = graph.terms()[i];
            text += fmt::format("const real_t r{} = VALUE_{}({});\n", i, name_of(term.operation),
                                arguments_text(term));
        }
    }
    return text;
}

std::string print_rates(const System &system) {
    return print_terms(system.rates, system.rate_of) + print_results(system);
}

std::string print_results(const System &system) {
    std::string text;
    for (std::size_t field = 0; field < system.rate_of.size(); ++field) {
        text += fmt::format("VALUE_RATE({}, r{});\n", field, system.rate_of[field]);
    }
    return text;
}

std::string print_waves(const System &system) {
    return print_terms(system.waves, {system.fastest_wave}) +
           fmt::format("VALUE_WAVE(r{});\n", system.fastest_wave);
}

std::string print_side(const System &system, int field, int side) {
    const SystemSideTerms &of = system.sides_of[field][side];
    std::vector<int> roots;
    for (const int root : {of.values, of.coefficient}) {
        if (root >= 0) {
            roots.push_back(root);
        }
    }
    std::string text = print_terms(system.sides, roots);
    if (of.values >= 0) {
        text += fmt::format("SIDE_VALUES(r{});\n", of.values);
    }
    if (of.coefficient >= 0) {
        text += fmt::format("SIDE_COEFFICIENT(r{});\n", of.coefficient);
    }
    return text;
}

}  // namespace perdure::systems
