// Splits the text of a formula into tokens.
#pragma once

#include <string>
#include <string_view>

#include "solver/formulas/tree.hpp"

namespace perdure::formulas {

inline constexpr int longest_formula = 20000;  // characters

enum class TokenKind { number, name, operation, open, close, comma, semicolon, question, colon, end };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;       // as it is written
    std::string_view operation;  // of an operator: its name in a tree, `and` for &&
    double number = 0.0;
    int begin = 0, end = 0;  // characters of the formula, counted from 0
};

/// The token that begins at or behind byte `at`. Throws FormulaError at what no token begins with and at malformed numbers.
Token read_token(std::string_view formula, int at);

/// The token in quotation marks for messages, cut when it is long.
std::string quoted(const Token &token);

}  // namespace perdure::formulas
