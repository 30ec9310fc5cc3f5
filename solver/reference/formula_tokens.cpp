#include "solver/reference/formula_tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "solver/failure.hpp"

namespace perdure::reference {
namespace {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// One behind the last character of the number that begins at i: 2, .5, 1.5e-3. An e without digits behind it is a name.
std::size_t end_of_number(std::string_view text, std::size_t i) {
    while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) {
        ++i;
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        std::size_t digits = i + 1;
        if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) {
            ++digits;
        }
        if (digits < text.size() && is_digit(text[digits])) {
            i = digits;
            while (i < text.size() && is_digit(text[i])) {
                ++i;
            }
        }
    }
    return i;
}

std::size_t end_of_token(std::string_view text, std::size_t i) {
    static constexpr std::array<std::string_view, 6> pairs{"<=", ">=", "==", "!=", "&&", "||"};
    if (is_digit(text[i]) || text[i] == '.') {
        return end_of_number(text, i);
    }
    if (in_name(text[i])) {
        while (i < text.size() && in_name(text[i])) {
            ++i;
        }
        return i;
    }
    return std::ranges::find(pairs, text.substr(i, 2)) == pairs.end() ? i + 1 : i + 2;
}

// What stands between separators outside brackets; `separates` says whether token i is one.
template <typename Separates>
std::vector<Operand> split(TokenSpan tokens, const std::string &inverse, const Separates &separates) {
    std::vector<Operand> operands;
    Operand operand;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i] == "(") {
            i = closing_bracket(tokens, i);
        } else if (separates(i)) {
            if (i > 0) {
                operand.tokens = tokens.subspan(begin, i - begin);
                operands.push_back(operand);
            }
            operand.inverse = tokens[i] == inverse;
            begin = i + 1;
        }
    }
    operand.tokens = tokens.subspan(begin);
    operands.push_back(operand);
    return operands;
}

}  // namespace

Tokens read_tokens(std::string_view text) {
    Tokens tokens;
    for (std::size_t i = 0; i < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
            ++i;
            continue;
        }
        const std::size_t end = end_of_token(text, i);
        const std::string_view token = text.substr(i, end - i);
        tokens.emplace_back(token == "and" ? "&&" : (token == "or" ? "||" : (token == "not" ? "!" : token)));
        i = end;
    }
    return tokens;
}

std::string to_text(TokenSpan tokens) {
    const auto is_word = [&](std::size_t i) { return in_name(tokens[i][0]) || tokens[i][0] == '.'; };
    const auto is_bracket = [&](std::size_t i) { return tokens[i] == "(" || tokens[i] == ")"; };
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i > 0 && is_word(i - 1) == is_word(i) && !is_bracket(i - 1) && !is_bracket(i)) {
            text += ' ';
        }
        text += tokens[i];
    }
    return text;
}

bool is_name(const std::string &token) {
    return in_name(token[0]) && !is_digit(token[0]);
}

bool is_call(TokenSpan tokens, std::size_t i) {
    return is_name(tokens[i]) && i + 1 < tokens.size() && tokens[i + 1] == "(";
}

std::size_t closing_bracket(TokenSpan tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        depth += tokens[i] == "(" ? 1 : (tokens[i] == ")" ? -1 : 0);
        if (depth == 0) {
            return i;
        }
    }
    refuse_formula("'" + to_text(tokens.subspan(open)) + "', where a bracket is not closed");
}

TokenSpan inside_brackets(TokenSpan tokens, std::size_t open) {
    return tokens.subspan(open + 1, closing_bracket(tokens, open) - open - 1);
}

std::vector<TokenSpan> split_list(TokenSpan tokens) {
    std::vector<TokenSpan> members;
    for (const Operand &operand :
         split(tokens, "", [&](std::size_t i) { return tokens[i] == "," || tokens[i] == ";"; })) {
        members.push_back(operand.tokens);
    }
    return members;
}

std::vector<Operand> split_sum(TokenSpan tokens) {
    return split(tokens, "-", [&](std::size_t i) {
        const bool after_value =
            i == 0 || in_name(tokens[i - 1][0]) || tokens[i - 1][0] == '.' || tokens[i - 1] == ")";
        return after_value && (tokens[i] == "+" || tokens[i] == "-");
    });
}

std::vector<Operand> split_product(TokenSpan tokens) {
    return split(tokens, "/", [&](std::size_t i) { return tokens[i] == "*" || tokens[i] == "/"; });
}

void refuse_formula(const std::string &what) {
    throw Failure(ExitCode::differs_or_internal, "the reference cannot evaluate " + what);
}

}  // namespace perdure::reference
