#include <algorithm>
#include <array>

#include "kernels/system_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/reference/reference.hpp"
#include "solver/resident/plan_system_tiles.hpp"
#include "solver/systems/roles.hpp"

namespace perdure {
namespace {

constexpr std::array leapfrog_fields{RUN_KERNEL_FIELDS(SEGMENTED_SYSTEM_FIELDS)};

constexpr int phases_in_halves = 3;

reference::Answers leapfrog_reference(const Problem &problem, const std::vector<double> &steps) {
    const systems::System system = systems::make_system(*problem.system, problem.grid);
    return reference::leapfrog_of_problem(problem, systems::leapfrog_roles(system).positions(), steps);
}

/// Of one field; kernels/leapfrog.h.
ValuesMoved moved_at_once(const ProblemTraits & /*traits*/) {
    return {2, 2};
}

/// 9 of a pair of fields.
ValuesMoved moved_in_halves(const ProblemTraits & /*traits*/) {
    return {5, 2};
}

Method leapfrog_method(int phases, ValuesMoved (*moved)(const ProblemTraits &)) {
    return {
        .name = "leapfrog",
        .title = "leapfrog (Stoermer-Verlet)",
        .kernel = "leapfrog",
        .fields = leapfrog_fields,
        .in_time = true,
        .reference = leapfrog_reference,
        .phases_per_iteration = phases,
        .values_moved = moved,
        .plan_resident = phases == 1 ? plan_system_tiles : nullptr,
        .no_resident =
            "resident kernels of leapfrog need equations in which the rate of each position is just a "
            "velocity",
    };
}

const Method at_once = leapfrog_method(1, moved_at_once);
const Method in_halves = leapfrog_method(phases_in_halves, moved_in_halves);

/// A wave of frequency omega is stable for dt omega <= 2, and what grows by itself or decays with as many steps in its time.
double leapfrog_product(std::complex<double> /*lambda*/) {
    return 2.0;
}

bool moves_at_once(const Config &config) {
    return !config.formulas || systems::leapfrog_roles(*config.formulas).rates_are_velocities;
}

bool moves_in_halves(const Config &config) {
    return !moves_at_once(config);
}

SystemSteps leapfrog_steps(const Config &config) {
    const systems::Roles roles = systems::leapfrog_roles(*config.formulas);
    return {.tableau = {.stages = roles.rates_are_velocities ? 1 : phases_in_halves},
            .roles = roles.of,
            .stable_product = leapfrog_product,
            .refused = systems::why_not_divided(roles, *config.system),
            .refused_field = std::max(roles.field, 0)};
}

double leapfrog_step(const std::vector<double> &of_system) {
    return of_system.front();
}

Integrator leapfrog_of(const Method &method, bool (*suits)(const Config &)) {
    return {
        .equation = ProblemType::system,
        .word = TimeIntegrator::leapfrog,
        .order = 2,
        .stages = 1,
        .stable_time_step = leapfrog_step,
        .method = method,
        .steps_of_system = leapfrog_steps,
        .suits = suits,
    };
}

}  // namespace

extern const Integrator system_leapfrog, system_leapfrog_in_halves;
const Integrator system_leapfrog = leapfrog_of(at_once, moves_at_once);
const Integrator system_leapfrog_in_halves = leapfrog_of(in_halves, moves_in_halves);

}  // namespace perdure
