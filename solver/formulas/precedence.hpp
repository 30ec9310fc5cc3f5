// The precedence of operators, for the parser and the printer.
#pragma once

#include <string_view>

namespace perdure::formulas {

/// From the loosest to the tightest.
enum class Binding { condition, either, both, negation, comparison, sum, product, sign, power, value };

constexpr Binding next(Binding binding) {
    return static_cast<Binding>(static_cast<int>(binding) + 1);
}

/// Of an operator between two values; `value` for all else.
constexpr Binding binding_of(std::string_view operation) {
    if (operation == "or") {
        return Binding::either;
    }
    if (operation == "and") {
        return Binding::both;
    }
    if (operation == "<" || operation == "<=" || operation == ">" || operation == ">=" || operation == "==" ||
        operation == "!=") {
        return Binding::comparison;
    }
    if (operation == "+" || operation == "-") {
        return Binding::sum;
    }
    if (operation == "*" || operation == "/") {
        return Binding::product;
    }
    return operation == "^" ? Binding::power : Binding::value;
}

}  // namespace perdure::formulas
