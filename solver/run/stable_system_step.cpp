#include "solver/run/stable_system_step.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "solver/integrators/integrator.hpp"
#include "solver/systems/divided_stability.hpp"
#include "solver/systems/initial_values.hpp"
#include "solver/systems/stability.hpp"

namespace perdure {
namespace {

bool has_noise(const systems::Graph &graph) {
    return std::any_of(graph.terms().begin(), graph.terms().end(),
                       [](const systems::Term &term) { return term.operation == systems::Operation::NOISE; });
}

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Times the largest eigenvalue: a method with shorter stable steps is of no use.
constexpr double least_product = 0.1;
/// The same of a stage of classical Runge-Kutta.
constexpr double product_of_rk4 = 0.7;

/// dt: auto of a system that is not linear.
void warn_of_step_at_begin(const Config &config, ProblemFindings &findings) {
    findings.warn(
        config.time->position,
        "time.dt: auto chooses a step that is stable for the values at time 0; these equations are not "
        "linear, so the step may become unstable where fields grow; give a smaller dt then");
}

void refuse_oscillations(const Config &config, ProblemFindings &findings) {
    findings.add(
        ExitCode::case_or_usage, config.time->position,
        fmt::format("time.method: {} amplifies undamped oscillations, however small the step; use rk4",
                    name(config.time->integrator)));
}

/// What the number of stages of a step follows from.
double step_in_stages(const Config &config, const Integrator &integrator, const systems::StableStep &stable,
                      ProblemFindings &findings) {
    const bool given = config.time->step.has_value();
    const double longest = given ? integrator.stable_time_step({stable.step})
                                 : integrator.step_of_stages(integrator.automatic_stages, stable.step);
    if (given && *config.time->step <= longest) {
        return stable.step;
    }
    const char *const method = name(integrator.word);
    if (longest * stable.fastest < least_product) {
        findings.add(
            ExitCode::case_or_usage, config.time->position,
            fmt::format("time.method: {0} is for diffusion, and amplifies oscillations and transport "
                        "that diffusion does not damp: these equations need dt <= {1:.3g} with {0}; "
                        "use rk4, or imex with the diffusion in time.implicit",
                        method, longest));
        return stable.step;
    }
    if (given) {
        return stable.step;  // refused with this limit
    }
    if (!stable.linear) {
        warn_of_step_at_begin(config, findings);
    }
    const int stages = integrator.stages_of_step(longest, stable.step);
    if (longest * stable.fastest < product_of_rk4 * stages) {
        findings.warn(config.time->position,
                      fmt::format("time.method: {0} is stable with dt <= {1:.3g} only, because of transport "
                                  "or oscillations; rk4 computes rates less often for the same time",
                                  method, longest));
    }
    return stable.step;
}

/// Runge-Kutta methods take the fastest oscillations away where steps are nearly as long as is stable.
void warn_of_damping(const Config &config, const SystemSteps &steps, const systems::StableStep &stable,
                     ProblemFindings &findings) {
    constexpr double nearly_all = 0.9, negligible = 1.0e-9, little = 0.99;
    if (!config.time->step || !stable.oscillates || !steps.tableau.has_weights() ||
        *config.time->step <= (nearly_all + negligible) * stable.step ||
        *config.time->step > (1.0 + negligible) * stable.step) {
        return;
    }
    const double left = growth_of_oscillation(steps.tableau, *config.time->step * stable.fastest);
    if (left < little) {
        findings.warn(
            config.time->step_position,
            fmt::format("time.dt: {0:.6g} is close to the largest stable step, {1:.6g}, where {2} damps "
                        "the fastest oscillations that the grid holds: after a step {3:.0f} % of them are "
                        "left; if they matter, give a smaller dt (with {4:.3g} {5:.1f} % are left)",
                        *config.time->step, stable.step, name(config.time->integrator), 100.0 * left,
                        0.25 * stable.step,
                        100.0 * growth_of_oscillation(steps.tableau, 0.25 * stable.step * stable.fastest)));
    }
}

double largest_at_start(const systems::System &system, const Problem &problem) {
    const systems::InitialValues values(system, problem.grid, problem.fields, problem.coefficients,
                                        problem.start_time);
    const std::vector<double> waves =
        systems::evaluate_in_all_cells(system.waves, system.fastest_wave, values.context());
    return *std::ranges::max_element(waves);
}

/// Of time.dt: {cfl: ..}: what else but waves limits steps.
double step_beside_waves(const Config &config, const Problem &problem, const SystemSteps &steps,
                         ProblemFindings &findings) {
    const systems::System others = systems::without_waves(*config.formulas);
    const systems::StableStep stable = systems::stable_step(
        others, problem.grid, problem.fields, problem.coefficients, problem.start_time, steps, true);
    if (stable.oscillates && stable.step * stable.fastest < least_product) {
        refuse_oscillations(config, findings);
        return no_limit;
    }
    const double step = part_of_stable_step * stable.step;
    if (!stable.linear && step * largest_at_start(*config.formulas, problem) < *config.time->courant) {
        findings.warn(
            config.time->step_position,
            fmt::format("time.dt: {{cfl: ..}} also keeps steps shorter than {:.3g}, which is stable "
                        "for the terms that no wave carries with their values at time 0; these are "
                        "not linear, so steps may become unstable where fields grow; give a "
                        "smaller dt then",
                        step));
    }
    return step;
}

/// Of time.method: imex, whose explicit terms limit steps.
double step_of_divided_rates(const Config &config, const Problem &problem, const ImplicitRule &rule,
                             ProblemFindings &findings) {
    const TimeConfig &time = *config.time;
    const systems::System &system = *config.formulas;
    const systems::DividedSteps stable = systems::stable_divided_steps(
        system, problem.grid, problem.fields, problem.coefficients, problem.start_time, time.duration(), rule,
        time.step.value_or(time.duration()), !time.step);
    if (stable.fastest_explicit == 0.0) {
        return no_limit;
    }
    const bool linear = systems::is_linear(system);
    if (!time.step) {
        if (!linear) {
            warn_of_step_at_begin(config, findings);
        }
        return stable.step;
    }
    constexpr double negligible = 1.0e-9;
    if (*time.step > stable.step * (1.0 + negligible)) {
        const std::string limit = fmt::format(
            "time.dt: {:.6g} is {}: the explicit terms of imex need dt <= {:.3g}{}; give a smaller "
            "dt, or name the parts or fields that limit it in time.implicit",
            *time.step, linear ? "not stable" : "larger than the largest stable step at time 0", stable.step,
            linear ? "" : ", so expect that the run diverges");
        if (linear) {
            findings.add(ExitCode::case_or_usage, time.step_position, limit);
        } else {
            findings.warn(time.step_position, limit);
        }
    }
    return no_limit;
}

}  // namespace

double stable_system_step(const Config &config, const Problem &problem, ProblemFindings &findings) {
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
    if (steps.implicit != nullptr && steps.implicit->divides) {
        return step_of_divided_rates(config, problem, *steps.implicit, findings);
    }
    if (!steps.stable_product) {
        return no_limit;
    }
    if (steps.follows_waves) {
        return step_beside_waves(config, problem, steps, findings);
    }
    const systems::StableStep stable =
        systems::stable_step(*config.formulas, problem.grid, problem.fields, problem.coefficients,
                             problem.start_time, steps, !config.time->step);
    if (integrator.stages_of_step != nullptr) {
        return step_in_stages(config, integrator, stable, findings);
    }
    if (stable.oscillates && stable.step * stable.fastest < least_product &&
        (stable.linear || !config.time->step)) {
        refuse_oscillations(config, findings);
        return no_limit;
    }
    if (!config.time->step && !stable.linear) {
        warn_of_step_at_begin(config, findings);
    }
    warn_of_damping(config, steps, stable, findings);
    if (!config.time->step || stable.linear) {
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

double longest_automatic_step(const Config &config, const Problem &problem) {
    if (!config.system || config.time->step || integrator_of(config).stages_of_step == nullptr) {
        return no_limit;
    }
    return 1.0 / systems::fastest_beside_diffusion(*config.formulas, problem.grid, problem.fields,
                                                   problem.coefficients, problem.start_time);
}

}  // namespace perdure
