// Systems for tests: formulas without a file, fields on a grid, rates of all cells.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "solver/systems/system.hpp"

namespace perdure::systems_test {

using Equations = std::vector<std::pair<std::string, std::string>>;  // field, rate
using Parameters = std::vector<std::pair<std::string, double>>;

/// All sides periodic. Formulas stand one below the other in a file "case.yaml", each at column 8: parts first, then equations.
SystemConfig config_of(const Equations &equations, const Parameters &parameters = {},
                       const Equations &parts = {});

/// Gray and Scott's equations with the names of its case file.
SystemConfig gray_scott();

/// The unit square or cube, with cells of 1 / cells along each axis but for those given.
Grid unit_grid(int dimensions, std::int64_t cells);

/// Values at the centres of cells.
using Function = std::function<double(double x, double y, double z)>;
std::vector<double> sample(const Grid &grid, const Function &function);

/// The rate of a field in all cells. `fields`: values of all fields; `coefficients`: as the system's.
std::vector<double> rates(const systems::System &system, const Grid &grid,
                          const std::vector<std::vector<double>> &fields, int field = 0,
                          const std::vector<std::vector<double>> &coefficients = {}, double time = 0.0);

/// The largest difference between the rate of the first field and a function, `margin` cells away from the sides and further in.
double largest_error(const systems::System &system, const Grid &grid,
                     const std::vector<std::vector<double>> &fields, const Function &expected,
                     int margin = 0);

/// Numbers that look random, from -1 to 1, the same in every run.
std::vector<double> noise(std::int64_t count, std::uint32_t seed);

}  // namespace perdure::systems_test
