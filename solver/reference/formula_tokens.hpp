// Formulas of a case file as lists of tokens: what the reference needs to find operators in a text, and no more. It builds no tree
// and shares nothing with solver/formulas, so that an error there is not repeated here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perdure::reference {

/// Names, numbers, brackets and operators of a text, each a string.
using Tokens = std::vector<std::string>;
using TokenSpan = std::span<const std::string>;

/// Tokens of a formula. `and`, `or`, `not` become muParser's &&, ||, !.
Tokens read_tokens(std::string_view text);

/// The text of tokens, as muParser reads it: with spaces only where two of them would run together, for it takes 20,000 characters.
std::string to_text(TokenSpan tokens);

bool is_name(const std::string &token);

/// Whether a call such as lap(u) begins at token i.
bool is_call(TokenSpan tokens, std::size_t i);

/// The bracket that closes the one at `open`. Throws Failure(differs_or_internal) where there is none.
std::size_t closing_bracket(TokenSpan tokens, std::size_t open);

/// What stands between the bracket at `open` and the one that closes it.
TokenSpan inside_brackets(TokenSpan tokens, std::size_t open);

/// What stands between commas and semicolons outside brackets: arguments of a call, components of a vector.
std::vector<TokenSpan> split_list(TokenSpan tokens);

/// A term of a sum with its sign, or a factor of a product that may divide.
struct Operand {
    bool inverse = false;  // subtracted, or divided by
    TokenSpan tokens;
};

/// Terms between + and - outside brackets; a sign before the first is its own. One term without a sign: the text is no sum.
std::vector<Operand> split_sum(TokenSpan tokens);

/// Factors between * and / outside brackets.
std::vector<Operand> split_product(TokenSpan tokens);

/// Throws Failure(differs_or_internal): the reference cannot evaluate `what`.
[[noreturn]] void refuse_formula(const std::string &what);

}  // namespace perdure::reference
