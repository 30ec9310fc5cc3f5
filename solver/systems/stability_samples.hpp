// What von Neumann's analysis of a system looks at: cells, waves, and the eigenvalues of these.
#pragma once

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <vector>

#include "solver/problem/problem.hpp"
#include "solver/systems/dependences.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {

/// Where fields jump, what surrounds a cell is not what the analysis takes it for: so many, as a part of all, do not count where a system is
/// not linear.
inline constexpr double cells_at_jumps = 0.02;

/// Angles of the waves along each axis: all directions along axes that formulas look along, but for the opposite of each.
std::vector<std::array<double, 3>> sampled_waves(const System &system, const Grid &grid);

/// Cells spread over the grid, and those where a field or a coefficient is least and largest.
std::vector<std::int64_t> sampled_cells(const Grid &grid, const std::vector<Field> &initial,
                                        const std::vector<Samples> &coefficients, std::size_t angles);

/// Of the cell with that index.
std::array<std::int64_t, 3> place_of_cell(const Grid &grid, std::int64_t index);

/// Of a wave that turns by these angles from cell to cell, so many cells away.
double phase_at(const std::array<double, 3> &angles, const std::array<int, 3> &offset);

/// What the rates of such a wave depend on: [rate][field].
Eigen::MatrixXcd matrix_of_wave(const std::vector<Dependence> &found, const std::array<double, 3> &angles,
                                std::size_t fields);

Eigen::VectorXcd eigenvalues_of(const Eigen::MatrixXcd &matrix);
/// The largest magnitude; of those that are finite.
double largest_size(const Eigen::VectorXcd &values);

}  // namespace perdure::systems
