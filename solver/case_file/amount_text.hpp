// Numbers with units, such as `0.6 W/(m K)`, told from plain numbers and formulas.
#pragma once

#include <optional>
#include <string>

namespace perdure {

/// A number and, behind it, the text of its units, which may be misspelt.
struct AmountText {
    double number;
    std::string units;
};

/// Nothing where a text is a number or a formula, and where it can only be a mistaken formula: `20 K + x`.
std::optional<AmountText> split_amount(const std::string &text);

/// Whether it is a number with the exponent of Fortran, such as 1d-3, which could also be read as 1/d3.
bool has_exponent_of_fortran(const std::string &text);

}  // namespace perdure
