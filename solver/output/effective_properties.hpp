// Through-flow between two opposite sides that hold values.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Inflow, outflow, effective coefficient and tortuosity along the first axis whose two sides hold different
/// uniform values; empty when there is none or the problem is not steady diffusion without sigma. u: z, y, x
/// order, NaN in excluded cells. The coefficient is that of the mean of inflow and outflow; `by_energy`, where u is what
/// conjugate gradients reached from 0, that of the energy which flows dissipate: with the residual orthogonal to u it is
/// (v inflow - w outflow) / (v - w) between sides of v and w, the inflow between 1 and 0, and too large by the square of u's
/// error in the energy norm.
std::optional<EffectiveProperties> effective_properties(const Problem &problem, const FieldValues &u,
                                                        bool by_energy = false);

/// The same along an axis, from u beside its lower and its upper side, in the order of faces.
using SideValues = std::array<std::vector<double>, 2>;
EffectiveProperties effective_properties(const Problem &problem, int axis, const SideValues &u,
                                         bool by_energy);

}  // namespace perdure
