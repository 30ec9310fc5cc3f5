#include <array>

#include "kernels/system_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/integrators/tableau.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

constexpr std::array system_fields{RUN_KERNEL_FIELDS(SYSTEM_OWN_FIELDS)};

constexpr Tableau euler_tableau{.stages = 1, .node = {0.0}, .weight = {{{1.0}}}};

/// Shu and Osher 1988 as a Butcher tableau.
constexpr Tableau ssprk3_tableau{.stages = 3,
                                 .node = {0.0, 1.0, 0.5},
                                 .weight = {{{1.0}, {0.25, 0.25}, {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0}}}};

/// Kutta 1901.
constexpr Tableau rk4_tableau{
    .stages = 4,
    .node = {0.0, 0.5, 0.5, 1.0},
    .weight = {{{0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}}}};

/// Known for the method and all fields together: solver/systems/stability.hpp.
double as_it_is(const std::vector<double> &of_system) {
    return of_system.front();
}

/// Of one field; kernels/runge_kutta.h.
template <const Tableau &tableau>
ValuesMoved moved(const ProblemTraits & /*traits*/) {
    const int stages = tableau.stages;
    const int values = stages == 1 ? 2 : 3 * stages + stages * (stages - 1) / 2 + stages - 1;
    return {values, stages == 1 ? 2 : 3 + stages};
}

template <const Tableau &tableau>
Method method_of_tableau(const char *title) {
    return {
        .name = "runge_kutta",
        .title = title,
        .kernel = "runge_kutta",
        .fields = system_fields,
        .in_time = true,
        .reference =
            [](const Problem &problem, const std::vector<double> &steps) {
                return reference::step_system_of_problem(problem, tableau.stages, steps);
            },
        .phases_per_iteration = tableau.stages,
        .values_moved = moved<tableau>,
        .no_resident = "there is no resident kernel of systems of equations",
    };
}

const Method euler_steps = method_of_tableau<euler_tableau>("explicit Euler");
const Method ssprk3_steps = method_of_tableau<ssprk3_tableau>("SSPRK3");
const Method rk4_steps = method_of_tableau<rk4_tableau>("classical Runge-Kutta");

}  // namespace

extern const Integrator system_euler, system_ssprk3, system_rk4;
const Integrator system_euler{
    .equation = ProblemType::system,
    .word = TimeIntegrator::euler,
    .order = 1,
    .stages = 1,
    .stable_time_step = as_it_is,
    .method = euler_steps,
    .tableau = &euler_tableau,
};
const Integrator system_ssprk3{
    .equation = ProblemType::system,
    .word = TimeIntegrator::ssprk3,
    .order = 3,
    .stages = 3,
    .stable_time_step = as_it_is,
    .method = ssprk3_steps,
    .tableau = &ssprk3_tableau,
};
const Integrator system_rk4{
    .equation = ProblemType::system,
    .word = TimeIntegrator::rk4,
    .order = 4,
    .stages = 4,
    .stable_time_step = as_it_is,
    .method = rk4_steps,
    .tableau = &rk4_tableau,
};

}  // namespace perdure
