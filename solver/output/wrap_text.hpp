// Text for terminals: lines of at most 100 columns.
#pragma once

#include <cstddef>
#include <string>

namespace perdure {

inline constexpr std::size_t text_columns = 100;

/// `text` broken between words, each line behind `indent` spaces, those after the first behind `hanging` more. Ends
/// with a line end. A word longer than a line has one of its own.
std::string wrap_text(const std::string &text, std::size_t indent, std::size_t hanging = 0);

/// Whether a byte of UTF-8 text is the first of a character.
constexpr bool starts_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// Columns that UTF-8 text takes, a column a character.
std::size_t columns_of(const std::string &text);

}  // namespace perdure
