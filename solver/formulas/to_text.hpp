// Writes formulas as text.
#pragma once

#include <string>

#include "solver/formulas/tree.hpp"

namespace perdure::formulas {

/// The tree with the fewest brackets, spaces around all operators but * / ^ and numbers as short as they can be read back. For a
/// tree that parse() made, parse() makes an equal one of it, unless it is longer than what parse() reads.
std::string to_text(const Node &tree);

}  // namespace perdure::formulas
