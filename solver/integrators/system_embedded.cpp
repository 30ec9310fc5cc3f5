#include <array>
#include <limits>

#include "kernels/system_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

constexpr std::array embedded_fields{RUN_KERNEL_FIELDS(MARKED_SYSTEM_FIELDS)};

/// Last rows: the weights of the error, b - b*.
constexpr Tableau bogacki_shampine{
    .stages = 4,
    .node = {0.0, 0.5, 0.75, 1.0},
    .weight = {{{0.5},
                {0.0, 0.75},
                {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0},
                {2.0 / 9.0 - 7.0 / 24.0, 1.0 / 3.0 - 0.25, 4.0 / 9.0 - 1.0 / 3.0, -0.125}}}};
constexpr Tableau dormand_prince{
    .stages = 7,
    .node = {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0},
    .weight = {{{0.2},
                {3.0 / 40.0, 9.0 / 40.0},
                {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
                {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
                {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
                {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
                {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0,
                 -1.0 / 40.0}}}};

/// Of one field; kernels/embedded_runge_kutta.h.
template <const Tableau &tableau>
ValuesMoved moved_by_error(const ProblemTraits & /*traits*/) {
    const int stages = tableau.stages, between = stages - 3;
    const int rates_before = (stages - 2) * (stages - 1) / 2 - 1;  // from memory in the stages between
    return {4 + 4 * between + rates_before + 2 + stages, 4 + stages};
}

template <const Tableau &tableau, TimeIntegrator word>
Method embedded_method(const char *title) {
    return {
        .name = "embedded_runge_kutta",
        .title = title,
        .kernel = "embedded_runge_kutta",
        .fields = embedded_fields,
        .in_time = true,
        .reference =
            [](const Problem &problem, const std::vector<double> &steps) {
                return reference::step_system_of_problem(problem, name(word), steps);
            },
        .chooses_steps = true,
        .rejects_steps = true,
        .phases_per_iteration = tableau.stages - 1,
        .rates_kept = tableau.stages,
        .last_rate_begins_step = true,
        .values_moved = moved_by_error<tableau>,
        .no_resident = "there is no resident kernel of systems of equations",
    };
}

const Method rk23_steps = embedded_method<bogacki_shampine, TimeIntegrator::rk23>("Bogacki-Shampine 3(2)");
const Method rk45_steps = embedded_method<dormand_prince, TimeIntegrator::rk45>("Dormand-Prince 5(4)");

/// The error says how large steps are.
double unlimited(const std::vector<double> & /*of_system*/) {
    return std::numeric_limits<double>::infinity();
}

template <const Tableau &tableau, int error_order>
SystemSteps steps_by_error(const Config & /*config*/) {
    return {.tableau = tableau, .adds_rates = true, .error_order = error_order};
}

template <const Tableau &tableau, int order>
Integrator embedded_integrator(TimeIntegrator word, const Method &method) {
    return {
        .equation = ProblemType::system,
        .word = word,
        .order = order,
        .stages = tableau.stages - 1,
        .stable_time_step = unlimited,
        .method = method,
        .steps_of_system = steps_by_error<tableau, order>,
    };
}

}  // namespace

extern const Integrator system_rk23, system_rk45;
const Integrator system_rk23 = embedded_integrator<bogacki_shampine, 3>(TimeIntegrator::rk23, rk23_steps);
const Integrator system_rk45 = embedded_integrator<dormand_prince, 5>(TimeIntegrator::rk45, rk45_steps);

}  // namespace perdure
