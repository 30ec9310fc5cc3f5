#include "solver/run/stable_system_step.hpp"

#include <limits>

#include <fmt/format.h>

#include "solver/integrators/integrator.hpp"
#include "solver/systems/stability.hpp"

namespace perdure {

double stable_system_step(const Config &config, const Problem &problem, ProblemFindings &findings) {
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    if (!config.system) {
        return no_limit;
    }
    const Integrator &integrator = integrator_of(config);
    const systems::StableStep stable =
        systems::stable_step(*config.formulas, problem.grid, problem.fields, problem.coefficients,
                             *integrator.tableau, !config.time->step);
    if (stable.oscillates && stable.step * stable.fastest < 0.1 && (stable.linear || !config.time->step)) {
        findings.add(ExitCode::case_or_usage, config.time->position,
                     fmt::format("time.integrator: {} makes what only oscillates grow, whatever the step is; "
                                 "use rk4",
                                 name(integrator.word)));
        return no_limit;
    }
    if (!config.time->step && !stable.linear) {
        findings.warn(
            config.time->position,
            "time.dt: auto takes steps that are stable with the values at time 0; these equations are "
            "not linear, and where fields grow steps may become too large: then give a dt");
    }
    if (!config.time->step || stable.linear) {
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
