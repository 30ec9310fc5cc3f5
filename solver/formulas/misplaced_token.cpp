#include "solver/formulas/misplaced_token.hpp"

#include <fmt/format.h>

#include "solver/formulas/functions.hpp"

namespace perdure::formulas {

std::string why_no_value(const Token &previous, const Token &token) {
    const std::string expected =
        previous.kind == TokenKind::end ? "a value" : fmt::format("a value after {}", quoted(previous));
    return token.kind == TokenKind::end ? fmt::format("the formula ends here; expected {}", expected)
                                        : fmt::format("expected {}, found {}", expected, quoted(token));
}

std::string why_not_behind_value(const Token &previous, const Token &token) {
    switch (token.kind) {
        case TokenKind::close:
            return "this ')' has no matching '('";
        case TokenKind::comma:
            return previous.kind == TokenKind::number
                       ? "',' is allowed only inside brackets; write a decimal number with a point, as 0.5, "
                         "and "
                         "a vector as (a, b)"
                       : "',' is allowed only inside brackets; write (a, b) for a vector";
        case TokenKind::semicolon:
            return no_semicolon;
        case TokenKind::colon:
            return "':' without a '?' before it; write a condition as c ? a : b";
        default:
            break;
    }
    if (token.text == "if" || token.text == "else") {
        return "expected an operator; write a condition as c ? a : b or if(c, a, b)";
    }
    std::string message =
        fmt::format("expected an operator between {} and {}", quoted(previous), quoted(token));
    const Function *const function =
        previous.kind == TokenKind::name ? find_function(previous.text) : nullptr;
    if (function != nullptr) {
        message += fmt::format("; write {}", function->usage);
    } else if (token.kind != TokenKind::operation) {
        message += "; write a product as a*b";
    }
    return message;
}

}  // namespace perdure::formulas
