// Effective cases of small images.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/run/run_effective.hpp"
#include "tests/kernels/run_problem.hpp"

namespace perdure::tests {

/// Materials are numbered as `conductivities` are, those that conduct first.
Case image_case(std::array<std::int64_t, 3> cells, const std::vector<double> &conductivities_of,
                std::vector<std::uint8_t> of_cell, bool periodic);

/// The same with all sides periodic.
Case periodic_cell(std::array<std::int64_t, 3> cells, const std::vector<double> &conductivities_of,
                   std::vector<std::uint8_t> of_cell);

/// Materials 0 and 1 as often, and 2 in so many of a hundred cells.
std::vector<std::uint8_t> random_image(std::int64_t cells, int solid_percent, unsigned seed);

/// The case's problem along an axis, as the reference takes it.
Problem problem_along(const Case &test_case, int axis);

/// All its directions.
Solution solve(const Case &test_case, Device &device);

}  // namespace perdure::tests
