#include "solver/run/stable_system_step.hpp"

#include <limits>

#include <fmt/format.h>

#include "solver/integrators/integrator.hpp"
#include "solver/systems/stability.hpp"

namespace perdure {

double stable_system_step(const Config &config, const Problem &problem, ProblemFindings &findings) {
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    const Integrator &integrator = integrator_of(config);
    const SystemSteps steps = integrator.steps_of_system(config);
    if (!steps.refused.empty()) {
        findings.add(ExitCode::case_or_usage,
                     steps.refused_field == SystemSteps::refused_step
                         ? config.time->step_position
                         : config.system->fields[steps.refused_field].rate.position,
                     steps.refused);
        return no_limit;
    }
    if (config.time->courant && !steps.follows_waves) {
        findings.add(
            ExitCode::case_or_usage, config.time->step_position,
            fmt::format(
                "time.dt: {{cfl: ..}} is for the methods euler, ssprk3 and rk4; {} takes a number or auto",
                name(integrator.word)));
    }
    if (!steps.stable_product) {
        return no_limit;
    }
    const systems::StableStep stable = systems::stable_step(*config.formulas, problem.grid, problem.fields,
                                                            problem.coefficients, steps, !config.time->step);
    if (stable.oscillates && stable.step * stable.fastest < 0.1 && (stable.linear || !config.time->step)) {
        findings.add(ExitCode::case_or_usage, config.time->position,
                     fmt::format("time.method: {} makes what only oscillates grow, whatever the step is; "
                                 "use rk4",
                                 name(integrator.word)));
        return no_limit;
    }
    if (!config.time->step || stable.linear || integrator.stages_of_step != nullptr) {
        return stable.step;
    }
    if (*config.time->step > stable.step) {
        findings.warn(config.time->step_position,
                      fmt::format("time.dt: {:.6g} is larger than what is stable at time 0, {:.6g}",
                                  *config.time->step, stable.step));
    }
    return no_limit;
}

}  // namespace perdure
