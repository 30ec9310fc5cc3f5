// Operations on numbers in float64: of constant parts of formulas, and of evaluate().
#pragma once

#include <string_view>

#include "solver/systems/graph.hpp"

namespace perdure::systems {

/// The value of an operation that has arguments; those that it has not are not read.
double apply(Operation operation, double a, double b, double c);

/// As printed: "FUSED_PRODUCT".
std::string_view name_of(Operation operation);

/// Whether the order of its first two arguments makes no difference.
bool commutes(Operation operation);

}  // namespace perdure::systems
