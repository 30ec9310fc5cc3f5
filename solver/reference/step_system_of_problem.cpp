#include <algorithm>
#include <map>
#include <stdexcept>

#include "solver/reference/step_system.hpp"

namespace perdure::reference {
namespace {

/// Hairer, Norsett and Wanner, tables II.1.2 and II.5.2; SSPRK3: Gottlieb and Shu, Math. Comp. 67 (1998) 73; rk23: Bogacki and
/// Shampine, Appl. Math. Lett. 2 (1989) 321. Those with an error estimate without the stage that serves it alone.
Tableau tableau_of(const std::string &method) {
    static const std::map<std::string, Tableau> tableaus{
        {"euler", {.a = {{}}, .b = {1.0}, .c = {0.0}}},
        {"ssprk3",
         {.a = {{}, {1.0}, {1.0 / 4.0, 1.0 / 4.0}},
          .b = {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0},
          .c = {0.0, 1.0, 1.0 / 2.0}}},
        {"rk4",
         {.a = {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
          .b = {1.0 / 6.0, 2.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0},
          .c = {0.0, 0.5, 0.5, 1.0}}},
        {"rk23",
         {.a = {{}, {1.0 / 2.0}, {0.0, 3.0 / 4.0}},
          .b = {2.0 / 9.0, 3.0 / 9.0, 4.0 / 9.0},
          .c = {0.0, 1.0 / 2.0, 3.0 / 4.0}}},
        {"rk45",
         {.a = {{},
                {1.0 / 5.0},
                {3.0 / 40.0, 9.0 / 40.0},
                {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
                {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
                {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0}},
          .b = {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
          .c = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0}}}};
    const auto found = tableaus.find(method);
    if (found == tableaus.end()) {
        throw std::logic_error("internal error: the reference does not know this Runge-Kutta method");
    }
    return found->second;
}

std::vector<double> in_each_cell(const Samples &samples, const Grid &grid) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < grid.count(); ++i) {
        values.push_back(samples[i]);
    }
    return values;
}

}  // namespace

ValuesInCells values_in_cells(const Problem &problem) {
    ValuesInCells values;
    for (const Field &field : problem.fields) {
        values.initial.push_back(in_each_cell(field.initial, problem.grid));
    }
    for (const Samples &samples : problem.coefficients) {
        values.coefficients.push_back(in_each_cell(samples, problem.grid));
    }
    return values;
}

Answers step_system_of_problem(const Problem &problem, const std::string &method,
                               const std::vector<double> &steps) {
    const auto [coefficients, initial] = values_in_cells(problem);
    return step_system(problem.grid, *problem.system, coefficients, initial, tableau_of(method), steps,
                       problem.start_time);
}

Answers leapfrog_of_problem(const Problem &problem, const std::vector<std::size_t> &halves,
                            const std::vector<double> &steps) {
    const auto [coefficients, initial] = values_in_cells(problem);
    return step_system_leapfrog(problem.grid, *problem.system, coefficients, initial, halves, steps,
                                problem.start_time);
}

}  // namespace perdure::reference
