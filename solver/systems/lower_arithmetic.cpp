#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "solver/formulas/functions.hpp"
#include "solver/formulas/names.hpp"
#include "solver/systems/lowering.hpp"

namespace perdure::systems {
namespace {

/// Functions that are an operation.
constexpr std::array<std::pair<std::string_view, Operation>, 29> operations{{
    {"sqrt", Operation::SQUARE_ROOT},
    {"abs", Operation::ABSOLUTE},
    {"floor", Operation::FLOOR},
    {"exp", Operation::EXPONENTIAL},
    {"log", Operation::LOGARITHM},
    {"sin", Operation::SINE},
    {"cos", Operation::COSINE},
    {"tan", Operation::TANGENT},
    {"asin", Operation::ARC_SINE},
    {"acos", Operation::ARC_COSINE},
    {"atan", Operation::ARC_TANGENT},
    {"tanh", Operation::HYPERBOLIC_TANGENT},
    {"<", Operation::LESS},
    {"<=", Operation::LESS_OR_EQUAL},
    {"==", Operation::EQUAL},
    {"or", Operation::OR},
    {"not", Operation::NOT},
    {"if", Operation::SELECT},
    {"and", Operation::AND},
    {"ln", Operation::LOGARITHM},
    {"log2", Operation::LOGARITHM_2},
    {"log10", Operation::LOGARITHM_10},
    {"erf", Operation::ERROR_FUNCTION},
    {"sinh", Operation::HYPERBOLIC_SINE},
    {"cosh", Operation::HYPERBOLIC_COSINE},
    {"atan2", Operation::ARC_TANGENT_2},
    {"asinh", Operation::INVERSE_HYPERBOLIC_SINE},
    {"acosh", Operation::INVERSE_HYPERBOLIC_COSINE},
    {"atanh", Operation::INVERSE_HYPERBOLIC_TANGENT},
}};

}  // namespace

Lowered Lowering::lower_call(const Node &node, const Shift &shift, const Lowered *first) {
    static constexpr std::string_view arithmetic = "+-*/";
    if (node.name == "negate" ||
        (node.name.size() == 1 && arithmetic.find(node.name) != std::string_view::npos)) {
        return lower_arithmetic(node, shift, first);
    }
    const formulas::Function *function = formulas::find_function(node.name);
    const int before = formulas::arguments_before_semicolon(node);
    const int behind = formulas::arguments_behind_semicolon(node);
    if (function == nullptr || before < function->fewest || before > function->most ||
        behind < function->fewest_behind || behind > function->most_behind) {
        for (const Node &child : node.children) {
            lower(child, shift);  // for what else is wrong
        }
        return {};
    }
    if (function->role == formulas::FunctionRole::differential || node.name == "dot") {
        return lower_derivative(node, shift);
    }
    return function->role == formulas::FunctionRole::random || function->role == formulas::FunctionRole::noise
               ? lower_random(node, shift)
               : lower_function(node, shift, first);
}

Lowered Lowering::lower_arithmetic(const Node &node, const Shift &shift, const Lowered *first) {
    const Lowered a = first != nullptr ? *first : lower(node.children[0], shift);
    Lowered value = a;
    if (node.name == "negate") {
        for (int i = 0; i < a.components; ++i) {
            value.terms[i] = builder_.negate(a.terms[i]);
        }
        return value;
    }
    const Lowered b = lower(node.children[1], shift);
    if (a.components == 0 || b.components == 0) {
        return {};
    }
    const char operation = node.name[0];
    const bool sum = operation == '+' || operation == '-';
    if (sum && a.components != b.components) {
        const bool first_is_vector = a.components > 1;
        return fail(
            node.children[1],
            fmt::format("'{}' is a {}, but the term before the '{}' is a {}; they have no {}",
                        excerpt(node.children[1]), first_is_vector ? "scalar" : "vector", operation,
                        first_is_vector ? "vector" : "scalar", operation == '+' ? "sum" : "difference"));
    }
    if (operation == '/' && b.components > 1) {
        return is_scalar(node.children[1], b) ? a : Lowered{};
    }
    if (operation == '*' && a.components > 1 && b.components > 1) {
        return fail(
            node, fmt::format(
                      "'{}' is a product of two vectors; write dot(a, b), or write each component separately",
                      excerpt(node)));
    }
    value.components = std::max(a.components, b.components);
    for (int i = 0; i < value.components; ++i) {
        const int left = a.terms[a.components > 1 ? i : 0];
        const int right = b.terms[b.components > 1 ? i : 0];
        value.terms[i] = operation == '+'   ? builder_.add(left, right)
                         : operation == '-' ? builder_.subtract(left, right)
                         : operation == '*' ? builder_.multiply(left, right)
                                            : builder_.divide(left, right);
    }
    return value;
}

Lowered Lowering::lower_function(const Node &node, const Shift &shift, const Lowered *first) {
    std::vector<int> arguments;
    bool usable = true;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        const Lowered value = i == 0 && first != nullptr ? *first : lower(node.children[i], shift);
        usable = is_scalar(node.children[i], value) && usable;
        arguments.push_back(value.terms[0]);
    }
    if (!usable) {
        return {};
    }
    for (const auto &[name, operation] : operations) {
        if (name == node.name) {
            arguments.resize(3, -1);
            return {1, {builder_.apply(operation, arguments[0], arguments[1], arguments[2]), -1, -1}};
        }
    }
    return {1, {function_of(node.name, arguments), -1, -1}};
}

int Lowering::function_of(const std::string &name, const std::vector<int> &arguments) {
    TermBuilder &to = builder_;
    const int a = arguments[0];
    if (name == "min" || name == "max") {
        int value = a;
        for (std::size_t i = 1; i < arguments.size(); ++i) {
            value = to.apply(name == "min" ? Operation::MINIMUM : Operation::MAXIMUM, value, arguments[i]);
        }
        return value;
    }
    if (name == "sum" || name == "avg") {
        int sum = a;
        for (std::size_t i = 1; i < arguments.size(); ++i) {
            sum = to.add(sum, arguments[i]);
        }
        return name == "sum" ? sum : to.divide(sum, to.number(static_cast<double>(arguments.size())));
    }
    const int zero = to.number(0.0);
    if (name == ">") {
        return to.apply(Operation::LESS, arguments[1], a);
    }
    if (name == ">=") {
        return to.apply(Operation::LESS_OR_EQUAL, arguments[1], a);
    }
    if (name == "!=") {
        return to.apply(Operation::NOT, to.apply(Operation::EQUAL, a, arguments[1]));
    }
    if (name == "^" || name == "pow") {
        return to.power(a, arguments[1]);
    }
    if (name == "sign") {
        const int negative =
            to.apply(Operation::SELECT, to.apply(Operation::LESS, a, zero), to.number(-1.0), zero);
        return to.apply(Operation::SELECT, to.apply(Operation::LESS, zero, a), to.number(1.0), negative);
    }
    if (name == "rint") {  // of two the greater one
        return to.apply(Operation::FLOOR, to.add(a, to.number(0.5)));
    }
    if (name == "ceil") {
        return to.negate(to.apply(Operation::FLOOR, to.negate(a)));
    }
    if (name == "round") {  // halves away from 0
        const int size = to.apply(Operation::ABSOLUTE, a);
        const int whole = to.apply(Operation::FLOOR, size);
        const int below_half = to.apply(Operation::LESS, to.subtract(size, whole), to.number(0.5));
        const int rounded = to.apply(Operation::SELECT, below_half, whole, to.add(whole, to.number(1.0)));
        return to.apply(Operation::SELECT, to.apply(Operation::LESS, a, zero), to.negate(rounded), rounded);
    }
    const int quotient = to.apply(Operation::FLOOR, to.divide(a, arguments[1]));  // mod
    return to.subtract(a, to.multiply(arguments[1], quotient));
}

/// random(seed), and noise(seed), which is a normal number / sqrt(h_x h_y .. dt).
Lowered Lowering::lower_random(const Node &node, const Shift &shift) {
    const int seed = scalar(node.children[0], shift);
    if (seed < 0) {
        return {};
    }
    const Term &term = builder_.term(seed);
    if (term.operation != Operation::NUMBER || term.number != std::floor(term.number) || term.number < 0.0 ||
        term.number > std::numeric_limits<int>::max()) {
        return fail(node.children[0], fmt::format("the seed of {}() must be a whole number from 0 to {}",
                                                  node.name, std::numeric_limits<int>::max()));
    }
    const auto number = static_cast<int>(term.number);
    if (node.name == "random") {
        return {1, {builder_.leaf(Operation::RANDOM, number, shift.cells), -1, -1}};
    }
    const int per_cell = builder_.leaf(
        Operation::PARAMETER, user_parameters_ + static_cast<int>(SpacingFactor::count) * dimensions_);
    return {1, {builder_.multiply(builder_.leaf(Operation::NOISE, number, shift.cells), per_cell), -1, -1}};
}

}  // namespace perdure::systems
