// Explains why a token is not allowed at its position.
#pragma once

#include <string>

#include "solver/formulas/tokens.hpp"

namespace perdure::formulas {

inline constexpr const char *no_semicolon =
    "';' is allowed only inside the brackets of a function, as in conserve(fx, fy; speed)";

/// Of a token that no value begins with where one is expected. `previous`: the token before it, of kind `end` at the beginning.
std::string why_no_value(const Token &previous, const Token &token);

/// Of a token behind a whole value, which it neither continues nor ends.
std::string why_not_behind_value(const Token &previous, const Token &token);

}  // namespace perdure::formulas
