// Strict numbers, as YAML 1.2 writes them in decimal: 1, -2.5, 1.0e-3. Not 010, 0x10, 1_000, .inf or .nan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace perdure {

/// A finite number, or nothing.
std::optional<double> parse_number(const std::string &text);

/// A whole number without fraction or exponent, or nothing.
std::optional<std::int64_t> parse_whole_number(const std::string &text);

/// For a text that is no number but was probably meant as one: what to write instead. Otherwise empty.
std::string number_mistake(const std::string &text);

}  // namespace perdure
