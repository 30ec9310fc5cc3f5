// The same system of equations as the program's, stepped by Eigen's arrays: shares with it the texts of the case file and the grid,
// and neither parser, tree nor kernels. Where the meaning of each operator comes from: extended_grid.hpp; of sides: system_rates.hpp;
// of words beyond muParser's: pointwise.hpp.
#pragma once

#include <vector>

#include "solver/reference/reference.hpp"
#include "solver/reference/system_rates.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::reference {

/// An explicit Runge-Kutta method (Butcher's tableau): stage i is at t + c[i] dt, from the rates of stages j < i with weights a[i][j];
/// the step adds the rates with weights b. Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.1.
struct Tableau {
    std::vector<std::vector<double>> a;  // row i has at least i entries; those from i on are 0
    std::vector<double> b, c;
};

/// Fields after `steps` (dt of each) from time `begin`: an answer for each field. `coefficients` are [coefficient][cells] in the order of
/// the case file, `initial` [field][cells], cells as those of the grid. Throws Failure(differs_or_internal) for a formula that
/// the reference cannot evaluate and for a tableau that is not explicit.
Answers step_system(const Grid &grid, const SystemConfig &system,
                    const std::vector<std::vector<double>> &coefficients,
                    const std::vector<std::vector<double>> &initial, const Tableau &method,
                    const std::vector<double> &steps, double begin);

/// The same by Stoermer-Verlet: half a step of the velocities, a whole one of all other fields with them, half a step of the
/// velocities. `velocities` are indices of fields. Velocities' rates are those at the beginning and the end of a step, the others'
/// in its middle. Hairer, Lubich and Wanner, Acta Numerica 2003.
Answers step_system_leapfrog(const Grid &grid, const SystemConfig &system,
                             const std::vector<std::vector<double>> &coefficients,
                             const std::vector<std::vector<double>> &initial,
                             const std::vector<std::size_t> &velocities, const std::vector<double> &steps,
                             double begin);

/// Coefficients and initial values of a problem in each cell.
struct ValuesInCells {
    std::vector<std::vector<double>> coefficients, initial;
};
ValuesInCells values_in_cells(const Problem &problem);

Answers answers_of(const SystemConfig &system, const FieldArrays &fields, const std::string &solver);

}  // namespace perdure::reference
