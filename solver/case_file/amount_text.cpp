#include "solver/case_file/amount_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "solver/case_file/number_of_text.hpp"
#include "solver/formulas/functions.hpp"
#include "solver/formulas/tree.hpp"

namespace perdure {
namespace {

bool is_digit_at(std::string_view text, std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Of characters beyond ASCII, such as the micro sign and superscripts.
bool is_part_of_unit(char c) {
    return is_letter(c) || c == '%' || static_cast<unsigned char>(c) >= 0x80U;
}

/// Whether the letter is that of an exponent, as in 1e-3 and 1E3; `letters`: those that it may be.
bool begins_exponent(std::string_view text, std::size_t at, std::string_view letters) {
    const bool is_signed = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
    return at > 0 && (is_digit_at(text, at - 1) || text[at - 1] == '.') &&
           letters.find(text[at]) != std::string_view::npos && is_digit_at(text, at + (is_signed ? 2 : 1));
}

bool is_formula(const std::string &text) {
    try {
        (void)formulas::parse(text);
        return true;
    } catch (const formulas::FormulaError &) {
        return false;
    }
}

/// Whether there is something that units never have: a sum, a comparison, a coordinate, or the call of a function.
bool begins_like_formula(const std::string &words) {
    const auto end = std::ranges::find_if_not(words, is_letter);
    const std::string first(words.begin(), end);
    const bool calls = end != words.end() && *end == '(' && formulas::find_function(first) != nullptr;
    return calls || formulas::find_built_in(first) != nullptr || first == "and" || first == "or" ||
           words.find_first_of("+<>=!&|?:,;") != std::string::npos || words.find("- ") != std::string::npos;
}

}  // namespace

std::optional<AmountText> split_amount(const std::string &text) {
    if (number_of_text(text) || is_formula(text)) {
        return std::nullopt;
    }
    for (std::size_t i = 1; i < text.size(); ++i) {
        const bool begins = is_part_of_unit(text[i]) && !is_part_of_unit(text[i - 1]);
        const bool inverse =
            text[i] == '1' && text[i - 1] == ' ' && i + 1 < text.size() && text[i + 1] == '/';
        if ((!begins && !inverse) || begins_exponent(text, i, "eE")) {
            continue;
        }
        const std::size_t last = text.find_last_not_of(" \t", i - 1);
        const auto number = number_of_text(text.substr(0, last == std::string::npos ? 0 : last + 1));
        std::string words = text.substr(i);
        if (number && !begins_like_formula(words)) {
            return AmountText{*number, std::move(words)};
        }
    }
    return std::nullopt;
}

bool has_exponent_of_fortran(const std::string &text) {
    const std::size_t at = text.find_first_of("dD");
    if (at == std::string::npos || !begins_exponent(text, at, "dD")) {
        return false;
    }
    const auto rest = std::string_view(text).substr(at + 2);
    return number_of_text(text.substr(0, at)) &&
           std::ranges::all_of(rest, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

}  // namespace perdure
