#include "solver/run/stable_system_step.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "solver/integrators/integrator.hpp"
#include "solver/systems/stability.hpp"

namespace perdure {
namespace {

bool has_noise(const systems::Graph &graph) {
    return std::any_of(graph.terms().begin(), graph.terms().end(),
                       [](const systems::Term &term) { return term.operation == systems::Operation::NOISE; });
}

}  // namespace

double stable_system_step(const Config &config, const Problem &problem, ProblemFindings &findings) {
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    if (!config.system) {
        return no_limit;
    }
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
    if (has_noise(config.formulas->rates) && !integrator.method.takes_noise) {
        findings.add(
            ExitCode::case_or_usage, config.time->position,
            fmt::format("time.method: {} cannot step equations with noise(); use euler, ssprk3 or rk4",
                        name(integrator.word)));
        return no_limit;
    }
    if (config.time->courant && !steps.follows_waves) {
        findings.add(ExitCode::case_or_usage, config.time->step_position,
                     fmt::format("time.dt: {{cfl: ..}} is for the methods euler, ssprk3 and rk4; with {} "
                                 "give a number or auto",
                                 name(integrator.word)));
    }
    if (!steps.stable_product) {
        return no_limit;
    }
    const systems::StableStep stable =
        systems::stable_step(*config.formulas, problem.grid, problem.fields, problem.coefficients,
                             problem.start_time, steps, !config.time->step);
    if (stable.oscillates && integrator.stages_of_step != nullptr) {
        findings.add(
            ExitCode::case_or_usage, config.time->position,
            fmt::format(
                "time.method: {} is for diffusion, but these equations oscillate; use leapfrog or rk4",
                name(integrator.word)));
        return no_limit;
    }
    if (stable.oscillates && stable.step * stable.fastest < 0.1 && (stable.linear || !config.time->step)) {
        findings.add(
            ExitCode::case_or_usage, config.time->position,
            fmt::format("time.method: {} amplifies undamped oscillations, however small the step; use rk4",
                        name(integrator.word)));
        return no_limit;
    }
    if (!config.time->step && !stable.linear) {
        findings.warn(
            config.time->position,
            "time.dt: auto chooses a step that is stable for the values at time 0; these equations are not "
            "linear, so the step may become unstable where fields grow; give a smaller dt then");
    }
    if (!config.time->step || stable.linear || integrator.stages_of_step != nullptr) {
        return stable.step;
    }
    if (*config.time->step > stable.step) {
        findings.warn(config.time->step_position,
                      fmt::format("time.dt: {:.6g} is larger than the largest stable step at time 0, {:.6g}; "
                                  "expect that the run diverges, or give a smaller dt",
                                  *config.time->step, stable.step));
    }
    return no_limit;
}

}  // namespace perdure
