#include <array>

#include "kernels/system_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/integrators/tableau.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

constexpr std::array system_fields{RUN_KERNEL_FIELDS(SYSTEM_FIELDS)};

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
double step_of_system(const std::vector<double> &of_system) {
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

template <const Tableau &tableau>
Integrator integrator_of_tableau(TimeIntegrator word, int order, const Method &method) {
    return {
        .equation = ProblemType::system,
        .word = word,
        .order = order,
        .stages = tableau.stages,
        .stable_time_step = step_of_system,
        .method = method,
        .tableau = &tableau,
    };
}

}  // namespace

extern const Integrator system_euler, system_ssprk3, system_rk4;
const Integrator system_euler = integrator_of_tableau<euler_tableau>(TimeIntegrator::euler, 1, euler_steps);
const Integrator system_ssprk3 =
    integrator_of_tableau<ssprk3_tableau>(TimeIntegrator::ssprk3, 3, ssprk3_steps);
const Integrator system_rk4 = integrator_of_tableau<rk4_tableau>(TimeIntegrator::rk4, 4, rk4_steps);

}  // namespace perdure
