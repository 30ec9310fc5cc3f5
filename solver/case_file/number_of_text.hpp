// Numbers of a case file, which may be expressions of numbers: 0.25, 1/64, 2*pi*sqrt(3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace perdure {

/// Nothing where the text is no number: mistyped, not finite, or an expression that is none either or has names in it.
std::optional<double> number_of_text(const std::string &text);
/// Nothing too where it is written or comes out with a fraction: 1.0 is none, 64/2 is one.
std::optional<std::int64_t> whole_number_of_text(const std::string &text);

/// Why a text is no number, as far as it looks like one or calls a function; else empty.
std::string mistake_in_number(const std::string &text);

}  // namespace perdure
