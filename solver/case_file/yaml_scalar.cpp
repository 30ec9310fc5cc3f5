#include "solver/case_file/yaml_scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

namespace perdure {
namespace {

constexpr std::size_t longest_number = 400;  // characters; anything longer is no number

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t skip_digits(const std::string &text, std::size_t begin) {
    while (begin < text.size() && is_digit(text[begin])) {
        ++begin;
    }
    return begin;
}

std::size_t skip_sign(const std::string &text, std::size_t begin) {
    return begin < text.size() && (text[begin] == '+' || text[begin] == '-') ? begin + 1 : begin;
}

/// [+-] digits [. digits] [e [+-] digits], at least one digit before the exponent; leading zeros allowed.
bool has_number_form(const std::string &text) {
    const std::size_t whole = skip_sign(text, 0);
    std::size_t i = skip_digits(text, whole);
    std::size_t digits = i - whole;
    if (i < text.size() && text[i] == '.') {
        const std::size_t fraction = i + 1;
        i = skip_digits(text, fraction);
        digits += i - fraction;
    }
    if (digits == 0) {
        return false;
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        const std::size_t exponent = skip_sign(text, i + 1);
        i = skip_digits(text, exponent);
        return i > exponent && i == text.size();
    }
    return i == text.size();
}

std::size_t leading_zeros(const std::string &text) {
    const std::size_t first = skip_sign(text, 0);
    std::size_t i = first;
    while (i + 1 < text.size() && text[i] == '0' && is_digit(text[i + 1])) {
        ++i;
    }
    return i - first;
}

template <class Number>
std::optional<Number> convert(const std::string &text) {
    const char *begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char *end = text.data() + text.size();
    Number number{};
    const auto [stopped, error] = std::from_chars(begin, end, number);
    return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

std::string without(std::string text, char unwanted) {
    text.erase(std::remove(text.begin(), text.end(), unwanted), text.end());
    return text;
}

/// "2.5" of "2.5 min"; the text itself where no word stands behind a number.
std::string without_unit(const std::string &text) {
    const auto is_of_word = [](unsigned char c) { return std::isalpha(c) != 0 || c == ' '; };
    const auto end = std::find_if_not(text.rbegin(), text.rend(), is_of_word).base();
    return {text.begin(), end};
}

bool is_not_finite(std::string text) {
    text.erase(0, skip_sign(text, 0));
    text.erase(0, text.starts_with('.') ? 1 : 0);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text == "nan" || text == "inf" || text == "infinity";
}

/// 0x1F, 0o17 or 0b11.
bool has_base_prefix(const std::string &text) {
    const std::size_t zero = skip_sign(text, 0);
    return text.size() > zero + 2 && text[zero] == '0' && std::string("xXoObB").find(text[zero + 1]) < 6 &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(zero) + 2, text.end(),
                       [](unsigned char c) { return std::isxdigit(c) != 0 || c == '_'; });
}

}  // namespace

std::optional<double> parse_number(const std::string &text) {
    if (text.size() > longest_number || !has_number_form(text) || leading_zeros(text) > 0) {
        return std::nullopt;
    }
    return convert<double>(text);
}

std::optional<std::int64_t> parse_whole_number(const std::string &text) {
    const std::size_t first = skip_sign(text, 0);
    if (first == text.size() || skip_digits(text, first) != text.size() || leading_zeros(text) > 0) {
        return std::nullopt;
    }
    return convert<std::int64_t>(text);
}

std::string number_mistake(const std::string &text) {
    if (text.empty() || text.size() > longest_number || parse_number(text)) {
        return {};
    }
    if (is_not_finite(text)) {
        return "only finite numbers are allowed";
    }
    if (has_base_prefix(text)) {
        return "write it as a decimal number";
    }
    if (has_number_form(text)) {
        std::string shorter = text;
        shorter.erase(skip_sign(text, 0), leading_zeros(text));
        return parse_number(shorter) ? fmt::format("numbers have no leading zeros: write {}", shorter)
                                     : "the number is outside the range of double precision";
    }
    if (const std::string joined = without(text, '_'); joined != text && parse_number(joined)) {
        return fmt::format("numbers have no underscores: write {}", joined);
    }
    if (std::count(text.begin(), text.end(), ',') == 1) {
        std::string with_point = text;
        std::replace(with_point.begin(), with_point.end(), ',', '.');
        return parse_number(without_unit(with_point))
                   ? fmt::format("use a decimal point: write {}", with_point)
                   : "";
    }
    return {};
}

}  // namespace perdure
