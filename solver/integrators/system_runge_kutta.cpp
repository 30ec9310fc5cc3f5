#include <algorithm>
#include <array>
#include <limits>

#include "kernels/system_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/integrators/tableau.hpp"
#include "solver/reference/reference.hpp"
#include "solver/resident/plan_system_tiles.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
namespace {

constexpr std::array runge_kutta_fields{RUN_KERNEL_FIELDS(SEGMENTED_SYSTEM_FIELDS)};
constexpr std::array courant_fields{RUN_KERNEL_FIELDS(MARKED_SYSTEM_FIELDS)};

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

/// Of one field; kernels/runge_kutta.h.
template <const Tableau &tableau>
ValuesMoved moved(const ProblemTraits & /*traits*/) {
    const int stages = tableau.stages;
    const int values = stages == 1 ? 2 : 3 * stages + stages * (stages - 1) / 2 + stages - 1;
    return {values, stages == 1 ? 2 : 3 + stages};
}

template <const Tableau &tableau, TimeIntegrator word>
Method method_of_tableau(const char *title, bool follows_waves) {
    return {
        .name = follows_waves ? "courant_runge_kutta" : "runge_kutta",
        .title = title,
        .kernel = follows_waves ? "courant_runge_kutta" : "runge_kutta",
        .fields = follows_waves ? std::span<const KernelField>(courant_fields) : runge_kutta_fields,
        .in_time = true,
        .reference =
            [](const Problem &problem, const std::vector<double> &steps) {
                return reference::step_system_of_problem(problem, name(word), steps);
            },
        .chooses_steps = follows_waves,
        .phases_per_iteration = tableau.stages,
        .takes_noise = true,
        .rates_kept = tableau.stages - 1,
        .values_moved = moved<tableau>,
        .plan_resident = tableau.stages == 1 && !follows_waves ? plan_system_tiles : nullptr,
        .no_resident =
            "resident kernels of systems of equations support only explicit Euler and leapfrog, with a fixed "
            "step",
    };
}

constexpr bool given = false, by_waves = true;
const Method euler_steps = method_of_tableau<euler_tableau, TimeIntegrator::euler>("explicit Euler", given);
const Method ssprk3_steps = method_of_tableau<ssprk3_tableau, TimeIntegrator::ssprk3>("SSPRK3", given);
const Method rk4_steps = method_of_tableau<rk4_tableau, TimeIntegrator::rk4>("classical Runge-Kutta", given);
const Method courant_euler_steps = method_of_tableau<euler_tableau, TimeIntegrator::euler>(
    "explicit Euler, steps from the fastest wave", by_waves);
const Method courant_ssprk3_steps = method_of_tableau<ssprk3_tableau, TimeIntegrator::ssprk3>(
    "SSPRK3, steps from the fastest wave", by_waves);
const Method courant_rk4_steps = method_of_tableau<rk4_tableau, TimeIntegrator::rk4>(
    "classical Runge-Kutta, steps from the fastest wave", by_waves);

bool follows_waves(const Config &config) {
    return config.time && config.time->courant;
}

bool has_given_steps(const Config &config) {
    return !follows_waves(config);
}

template <const Tableau &tableau>
SystemSteps steps_by_tableau(const Config & /*config*/) {
    static const StableProducts stable_products(tableau);
    return {.tableau = tableau, .stable_product = std::ref(stable_products)};
}

bool looks_at_neighbours(const systems::System &system) {
    const std::vector<systems::Term> &terms = system.waves.terms();
    return std::any_of(terms.begin(), terms.end(), [](const systems::Term &term) {
        return term.operation != systems::Operation::COORDINATE && term.offset != std::array<int, 3>{0, 0, 0};
    });
}

std::string why_no_waves(const systems::System &system) {
    if (system.fastest_wave < 0) {
        return "time.dt: {cfl: ..} needs conserve() or upwind() in an equation, but no equation has either; "
               "give a number or auto";
    }
    return looks_at_neighbours(system)
               ? "time.dt: {cfl: ..} needs wave speeds that depend only on the fields in the same cell, but "
                 "one of them has a derivative; give a number or auto"
               : "";
}

template <const Tableau &tableau>
SystemSteps steps_by_waves(const Config &config) {
    static const StableProducts stable_products(tableau);
    const systems::System &system = *config.formulas;
    return {.tableau = tableau,
            .stable_product = std::ref(stable_products),
            .follows_waves = system.fastest_wave >= 0,
            .refused = why_no_waves(system),
            .refused_field = SystemSteps::refused_step};
}

/// In every step the kernel finds from the fastest wave, and what else limits steps, how long it is.
double unlimited_by_waves(const std::vector<double> & /*of_system*/) {
    return std::numeric_limits<double>::infinity();
}

template <const Tableau &tableau>
Integrator integrator_of_tableau(TimeIntegrator word, int order, const Method &method) {
    const bool chosen = method.chooses_steps;
    return {
        .equation = ProblemType::system,
        .word = word,
        .order = order,
        .stages = tableau.stages,
        .stable_time_step = chosen ? unlimited_by_waves : step_of_system,
        .method = method,
        .steps_of_system = chosen ? steps_by_waves<tableau> : steps_by_tableau<tableau>,
        .suits = chosen ? follows_waves : has_given_steps,
    };
}

}  // namespace

extern const Integrator system_euler, system_ssprk3, system_rk4, system_courant_euler, system_courant_ssprk3,
    system_courant_rk4;
const Integrator system_euler = integrator_of_tableau<euler_tableau>(TimeIntegrator::euler, 1, euler_steps);
const Integrator system_ssprk3 =
    integrator_of_tableau<ssprk3_tableau>(TimeIntegrator::ssprk3, 3, ssprk3_steps);
const Integrator system_rk4 = integrator_of_tableau<rk4_tableau>(TimeIntegrator::rk4, 4, rk4_steps);
const Integrator system_courant_euler =
    integrator_of_tableau<euler_tableau>(TimeIntegrator::euler, 1, courant_euler_steps);
const Integrator system_courant_ssprk3 =
    integrator_of_tableau<ssprk3_tableau>(TimeIntegrator::ssprk3, 3, courant_ssprk3_steps);
const Integrator system_courant_rk4 =
    integrator_of_tableau<rk4_tableau>(TimeIntegrator::rk4, 4, courant_rk4_steps);

}  // namespace perdure
