// The flow between two opposite sides that hold values, and the effective coefficient.
#pragma once

#include <optional>
#include <vector>

#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Whether a coefficient or source is 0 everywhere.
bool is_zero(const Samples &samples);

/// Whether effective_properties() has an answer: the flow is that of two sides, or of a fall of u from period to period, alone.
bool has_through_flow(const Grid &grid, const Field &field);

/// By how much u falls along an axis: from one period to the next, or between sides that hold different uniform values. Empty for other
/// sides.
std::optional<double> fall_along(const Field &field, int axis);

/// Inflow, outflow, effective coefficient and tortuosity along the first axis along which u falls from one period to the next, or whose two
/// sides hold different uniform values; empty when there is none or the problem is not steady diffusion without sigma. u: z, y, x
/// order, NaN in excluded cells. The coefficient is that of the mean of inflow and outflow, or the nearest that its energy bounds
/// allow.
std::optional<EffectiveProperties> effective_properties(const Grid &grid, const Field &field,
                                                        const FieldValues &u);

/// Of an image between sides of 1 and 0 along `axis`, or of a periodic cell in which u falls by 1 along it, from the sums of kernels/plane_flow.h over values of u that carry a
/// relative error of `unit_roundoff`. The coefficient is that of the energy which flows dissipate: too large by the square of
/// u's error in the energy norm, whatever method found u.
EffectiveProperties effective_properties(const Grid &grid, const Field &field, int axis,
                                         const std::vector<double> &sums, double unit_roundoff);

/// Adds to the sums of kernels/plane_flow.h what flows through the faces that join the two sides of `axis`, along which u falls from one
/// period to the next: through the first plane, which the last one repeats.
template <typename Real>
void add_faces_across(const Grid &grid, const Field &field, int axis, const LargeVector<Real> &u,
                      std::vector<double> &sums);

/// Finds the properties from u where they are not yet found, and bounds the coefficient: where bounds exclude it, it moves to the
/// nearest value between them.
void complete_effective(const Grid &grid, const Field &field, const FieldValues &u,
                        std::optional<EffectiveProperties> &found);

}  // namespace perdure
