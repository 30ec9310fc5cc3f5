#include <array>
#include <cmath>
#include <limits>

#include "kernels/system_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

constexpr std::array rkl2_fields{RUN_KERNEL_FIELDS(SEGMENTED_SYSTEM_FIELDS)};

constexpr int fewest_stages = 3, stages_of_automatic_steps = 15, most_stages = 101;

/// How many steps of explicit Euler a step of so many stages is as long as.
double steps_of_euler(int stages) {
    return 0.25 * (stages * stages + stages - 2);
}

int stages_of_step(double step, double of_explicit_euler) {
    int stages = fewest_stages;
    while (stages < most_stages && steps_of_euler(stages) * of_explicit_euler < step * (1.0 - 1.0e-9)) {
        stages += 2;
    }
    return stages;
}

/// Of one field and step of the fewest stages; kernels/rkl2.h.
ValuesMoved moved_by_rkl2(const ProblemTraits & /*traits*/) {
    return {3 + 5 * (fewest_stages - 1), 5};
}

const Method rkl2_steps{
    .name = "rkl2",
    .title = "Runge-Kutta-Legendre 2",
    .kernel = "rkl2",
    .fields = rkl2_fields,
    .in_time = true,
    .reference =
        [](const Problem &problem, const std::vector<double> &steps) {
            const double step = steps.empty() ? 0.0 : steps.front();
            return reference::step_rkl2_of_problem(problem, stages_of_step(step, problem.stable_time_step),
                                                   steps);
        },
    .phases_per_iteration = fewest_stages,
    .rates_kept = 1,
    .values_moved = moved_by_rkl2,
    .no_resident = "there is no resident kernel of systems of equations",
};

double with_most_stages(const std::vector<double> &of_system) {
    return steps_of_euler(most_stages) * of_system.front();
}

double of_automatic_steps(const std::vector<double> &of_system) {
    return steps_of_euler(stages_of_automatic_steps) * of_system.front();
}

/// That of explicit Euler, which stages multiply, of what decays without oscillating.
double euler_product(std::complex<double> /*lambda*/) {
    return 2.0;
}

SystemSteps legendre_steps(const Config & /*config*/) {
    return {.tableau = {.stages = fewest_stages}, .stable_product = euler_product};
}

}  // namespace

extern const Integrator system_rkl2;
const Integrator system_rkl2{
    .equation = ProblemType::system,
    .word = TimeIntegrator::rkl2,
    .order = 2,
    .stages = fewest_stages,
    .stable_time_step = with_most_stages,
    .method = rkl2_steps,
    .steps_of_system = legendre_steps,
    .automatic_time_step = of_automatic_steps,
    .stages_of_step = stages_of_step,
};

}  // namespace perdure
