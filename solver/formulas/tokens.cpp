#include "solver/formulas/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "solver/case_file/yaml_tree.hpp"
#include "solver/formulas/unknown_character.hpp"

namespace perdure::formulas {
namespace {

// Not those of <cctype>: they ask the locale.
bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}
bool begins_name(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}
bool continues_name(char byte) {
    return begins_name(byte) || is_digit(byte);
}
bool is_space(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

struct Symbol {
    std::string_view text;
    TokenKind kind;
    std::string_view operation;
};
/// Where one begins with another, the longer stands first.
constexpr std::array symbols{
    Symbol{"<=", TokenKind::operation, "<="},  Symbol{">=", TokenKind::operation, ">="},
    Symbol{"==", TokenKind::operation, "=="},  Symbol{"!=", TokenKind::operation, "!="},
    Symbol{"&&", TokenKind::operation, "and"}, Symbol{"||", TokenKind::operation, "or"},
    Symbol{"<", TokenKind::operation, "<"},    Symbol{">", TokenKind::operation, ">"},
    Symbol{"!", TokenKind::operation, "not"},  Symbol{"+", TokenKind::operation, "+"},
    Symbol{"-", TokenKind::operation, "-"},    Symbol{"*", TokenKind::operation, "*"},
    Symbol{"/", TokenKind::operation, "/"},    Symbol{"^", TokenKind::operation, "^"},
    Symbol{"(", TokenKind::open, ""},          Symbol{")", TokenKind::close, ""},
    Symbol{",", TokenKind::comma, ""},         Symbol{";", TokenKind::semicolon, ""},
    Symbol{"?", TokenKind::question, ""},      Symbol{":", TokenKind::colon, ""}};

struct Refused {
    std::string_view text, message;
};
constexpr std::array refused{Refused{"**", "'**' is not an operator; write ^ for a power"},
                             Refused{"<>", "'<>' is not an operator; write != for unequal"}};
constexpr const char *single_equal = "'=' is not allowed in a formula; compare two values with '=='";

std::string_view name_at(std::string_view text) {
    const auto *const end = std::find_if_not(text.begin(), text.end(), continues_name);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// Refuses what may not stand directly behind a number.
void check_behind_number(std::string_view number, std::string_view behind, int begin) {
    if (behind.empty()) {
        return;
    }
    const int end = begin + static_cast<int>(number.size());
    const std::string shown = shorten(std::string(number));
    if (behind.front() == '.' || is_digit(behind.front())) {
        const auto *const last = std::find_if_not(
            behind.begin(), behind.end(), [](char byte) { return byte == '.' || continues_name(byte); });
        const std::string more(behind.begin(), last);
        throw FormulaError(fmt::format("'{}' is not a number; write numbers like 2, 2.5, .5 or 1e-3",
                                       shorten(std::string(number) + more)),
                           begin, end + static_cast<int>(more.size()));
    }
    const std::string_view word = name_at(behind);
    if (!word.empty()) {
        std::string message =
            fmt::format("expected an operator between '{0}' and '{1}'; write {0}*{1} for a product", shown,
                        shorten(std::string(word)));
        if (word == "e" || word == "E") {
            message += ", or digits after the e for a power of ten";
        }
        throw FormulaError(message, begin, end + static_cast<int>(word.size()));
    }
}

Token read_number(std::string_view formula, int begin) {
    const std::string_view text = formula.substr(static_cast<std::size_t>(begin));
    Token token{TokenKind::number, {}, {}, 0.0, begin, begin};
    const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), token.number);
    if (error == std::errc::invalid_argument) {
        throw FormulaError("'.' is allowed only in numbers such as 2.5", begin, begin + 1);
    }
    token.text = text.substr(0, static_cast<std::size_t>(last - text.data()));
    token.end = begin + static_cast<int>(token.text.size());
    if (error != std::errc{}) {
        throw FormulaError(
            fmt::format("'{}' is out of range; the magnitude of a number is between 5e-324 and 1.7e308",
                        shorten(std::string(token.text))),
            begin, token.end);
    }
    check_behind_number(token.text, text.substr(token.text.size()), begin);
    return token;
}

Token read_word(std::string_view formula, int begin) {
    const std::string_view text = name_at(formula.substr(static_cast<std::size_t>(begin)));
    const bool is_operator = text == "and" || text == "or" || text == "not";
    return {is_operator ? TokenKind::operation : TokenKind::name,
            text,
            is_operator ? text : std::string_view{},
            0.0,
            begin,
            begin + static_cast<int>(text.size())};
}

Token read_symbol(std::string_view formula, int begin) {
    const std::string_view text = formula.substr(static_cast<std::size_t>(begin));
    for (const Refused &symbol : refused) {
        if (text.starts_with(symbol.text)) {
            throw FormulaError(std::string(symbol.message), begin,
                               begin + static_cast<int>(symbol.text.size()));
        }
    }
    const auto *const found = std::find_if(
        symbols.begin(), symbols.end(), [&](const Symbol &symbol) { return text.starts_with(symbol.text); });
    if (found != symbols.end()) {
        return {found->kind, text.substr(0, found->text.size()),          found->operation, 0.0,
                begin,       begin + static_cast<int>(found->text.size())};
    }
    if (text.front() == '=') {
        throw FormulaError(single_equal, begin, begin + 1);
    }
    throw FormulaError(describe_unknown_character(text), begin, begin + 1);
}

}  // namespace

Token read_token(std::string_view formula, int at) {
    const auto size = static_cast<int>(formula.size());
    const auto byte = [&](int i) { return formula[static_cast<std::size_t>(i)]; };
    while (at < size && is_space(byte(at))) {
        ++at;
    }
    if (at == size) {
        return {TokenKind::end, {}, {}, 0.0, size, size};
    }
    if (is_digit(byte(at)) || byte(at) == '.') {
        return read_number(formula, at);
    }
    return begins_name(byte(at)) ? read_word(formula, at) : read_symbol(formula, at);
}

std::string quoted(const Token &token) {
    return token.kind == TokenKind::end ? "the end of the formula"
                                        : fmt::format("'{}'", shorten(std::string(token.text)));
}

}  // namespace perdure::formulas
