#include <algorithm>
#include <stdexcept>

#include "solver/reference/step_system.hpp"

namespace perdure::reference {
namespace {

/// By its number of stages: the order of explicit Euler, SSPRK3 and the classical method. Hairer, Norsett and Wanner, table II.1.2; SSPRK3:
/// Gottlieb and Shu, Math. Comp. 67 (1998) 73.
Tableau tableau_of(int stages) {
    switch (stages) {
        case 1:
            return {.a = {{}}, .b = {1.0}, .c = {0.0}};
        case 3:
            return {.a = {{}, {1.0}, {1.0 / 4.0, 1.0 / 4.0}},
                    .b = {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0},
                    .c = {0.0, 1.0, 1.0 / 2.0}};
        case 4:
            return {.a = {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
                    .b = {1.0 / 6.0, 2.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0},
                    .c = {0.0, 0.5, 0.5, 1.0}};
        default:
            throw std::logic_error("the reference knows no Runge-Kutta method of so many stages");
    }
}

std::vector<double> in_each_cell(const Samples &samples, const Grid &grid) {
    std::vector<double> values(static_cast<std::size_t>(grid.count()), samples[0]);
    if (!samples.uniform()) {
        std::copy(samples.values.begin(), samples.values.end(), values.begin());
    }
    return values;
}

}  // namespace

Answers step_system_of_problem(const Problem &problem, int stages, const std::vector<double> &steps) {
    std::vector<std::vector<double>> initial, coefficients;
    for (const Field &field : problem.fields) {
        initial.push_back(in_each_cell(field.initial, problem.grid));
    }
    for (const Samples &samples : problem.coefficients) {
        coefficients.push_back(in_each_cell(samples, problem.grid));
    }
    return step_system(problem.grid, *problem.system, coefficients, initial, tableau_of(stages), steps, 0.0);
}

}  // namespace perdure::reference
