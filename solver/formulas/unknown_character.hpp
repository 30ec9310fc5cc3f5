// Explains a character that formulas cannot contain.
#pragma once

#include <string>
#include <string_view>

namespace perdure::formulas {

/// Names the first character of `text`, which is UTF-8 or any bytes, and says what to write instead where that is known.
std::string describe_unknown_character(std::string_view text);

}  // namespace perdure::formulas
