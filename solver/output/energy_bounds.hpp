// Between which values an effective coefficient lies for certain, from a field u that need not be the solution.
//
// Dirichlet: the energy of any u with the sides' values is at least that of the solution. Thomson: of any flow that is balanced
// in every cell, strength^2 / dissipation is at most that of the solution. The flow of u is balanced but for the residual,
// which is carried to the sides along a spanning tree of large conductances; what that adds is of second order in the residual. In a
// periodic cell there are no sides: the residual of a part adds up to 0, and is carried to one of its cells.
//   W. Prager, J. L. Synge, Quart. Appl. Math. 5 (1947) 241-269; P. G. Doyle, J. L. Snell, Random walks and electric
//   networks (1984), 1.3.5.
#pragma once

#include <optional>
#include <string>

#include "solver/output/effective_bounds.hpp"
#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Cells of the largest problem that is bounded, on one thread of the host; more would take longer than many solves.
inline constexpr std::int64_t most_cells_to_bound = 1 << 22;

/// Fewer certain digits than that are told of.
inline constexpr int few_digits = 3;

/// Of steady diffusion without sigma, source and velocity whose sides along `axis` hold different uniform values, or are periodic with a
/// fall of u from one period to the next, all others being periodic or of flux 0. u: z, y, x order, NaN in excluded cells. Empty for other problems, for more than
/// most_cells_to_bound cells, for full tensors and where u is not finite.
std::optional<Bounds> energy_bounds(const Grid &grid, const Field &field, int axis, const FieldValues &u);

/// Decimal digits in which everything between the bounds agrees to half a digit or so: -log10 of their relative distance, at
/// most 12.
int certain_digits(const Bounds &bounds);

/// Bounds rounded outwards, and how many digits are certain.
std::string to_text(const Bounds &bounds);

/// What is told where few digits are certain, and what to do.
std::string warn_of_few_digits(const Bounds &bounds);

}  // namespace perdure
