// Problems that tests run: small boxes with every kind of side.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/kernels/run_problem.hpp"

namespace perdure::tests {

using Point = std::array<double, 3>;  // x, y, z
using Kinds = std::array<SideKind, 6>;

/// A box of unit length along its longest axis; `shape` as in a case file: slowest axis first, 2 or 3
/// entries.
Grid box(const std::vector<std::int64_t> &shape);

/// The grid of the faces of side `side`: one cell thick, its centres on the side.
Grid face_grid(const Grid &grid, int side);

/// A function of position at the centres of all cells.
Samples sample(const Grid &grid, const std::function<double(const Point &)> &function);

/// Values uniform in [low, high), one per cell.
Samples random_samples(const Grid &grid, double low, double high, std::mt19937_64 &random);

/// Every side of one kind. Along an axis of its own kind `mixed` has two different ones; the last axis is
/// periodic.
Kinds all_sides(SideKind kind);
Kinds mixed_sides(int dimensions);

/// Along each axis, at random, periodic or of fixed values and fluxes. Draws from `random`.
Kinds random_sides(std::mt19937_64 &random);

enum class Coefficients { uniform, variable, microstructure };

/// A problem of random sources, side values and initial values; `microstructure` has cells with a = 0, about
/// one in three. Pure flux and periodic boxes get sigma = 0.5 so that they have one solution.
Problem random_problem(const std::vector<std::int64_t> &shape, const Kinds &kinds, Coefficients coefficients,
                       std::uint64_t seed);

/// Another problem of its type and kinds of sides.
Problem with_coefficients(const Problem &problem, const std::vector<std::int64_t> &shape,
                          Coefficients coefficients, std::uint64_t seed);

/// Steady cases that cover every kind of side, uniform and variable coefficients and a microstructure on one
/// shape.
std::vector<Problem> steady_problems(const std::vector<std::int64_t> &shape);

/// The same problem with a random velocity of up to `speed` along each axis.
Problem with_velocity(Problem problem, Convection convection, double speed, std::uint64_t seed);

/// The same problem through time, source and x- side with a time factor.
Problem as_heat(Problem problem);

/// About `steps` steps, with snapshots that shorten two of them.
TimeConfig some_steps(const Problem &problem, double steps);

}  // namespace perdure::tests
