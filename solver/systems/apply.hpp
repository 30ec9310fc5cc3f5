// Operations on numbers in float64: of constant parts of formulas, and of evaluate().
#pragma once

#include <cstddef>
#include <string_view>

#include "solver/systems/graph.hpp"

namespace perdure::systems {

/// The value of an operation that has arguments; those that it has not are not read.
double apply(Operation operation, double a, double b, double c);
/// The same for `count` cells. Arrays of arguments that it has not are not read; they may be those of others.
void apply(Operation operation, const double *a, const double *b, const double *c, double *values,
           std::size_t count);

/// As printed: "FUSED_PRODUCT".
std::string_view name_of(Operation operation);

/// Whether the order of its first two arguments makes no difference.
bool commutes(Operation operation);

}  // namespace perdure::systems
