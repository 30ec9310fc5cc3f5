// Through-flow between two opposite sides that hold values.
#pragma once

#include <optional>

#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Inflow, outflow, effective coefficient and tortuosity along the first axis whose two sides hold different
/// uniform values; empty when there is none or the problem is not steady diffusion without sigma. u: z, y, x
/// order, NaN in excluded cells.
std::optional<EffectiveProperties> effective_properties(const Problem &problem, const FieldValues &u);

}  // namespace perdure
