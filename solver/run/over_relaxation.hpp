// Chooses the relaxation factor of sor if the case does not set it.
#pragma once

#include "solver/problem/problem.hpp"

namespace perdure {

/// Young's formula 2 / (1 + sqrt(1 - rho^2)), rho the spectral radius of Jacobi's method in the box with a
/// and sigma at their means: exact but for the corners of the box where they are uniform and sides are value,
/// flux or periodic. 1 with a velocity, where more need not converge; 1.5 where nothing anchors the level.
double over_relaxation(const Grid &grid, const Field &field);

}  // namespace perdure
