// The time integrators: one descriptor for each `time.method`, and a registry of all of them.
#pragma once

#include <span>
#include <vector>

#include "solver/integrators/system_steps.hpp"
#include "solver/methods/method.hpp"

namespace perdure {

/// dt: auto is this part of the largest stable step.
inline constexpr double part_of_stable_step = 0.9;

/// An integrator as the rest of the program sees it: it asks for these properties, not for the name.
struct Integrator {
    ProblemType equation;  // that it advances
    TimeIntegrator word;
    int order;
    int stages;  // evaluations of the right-hand side in a step
    /// The largest stable step from those that explicit Euler has on the operator of each field: 2 / largest eigenvalue.
    double (*stable_time_step)(const std::vector<double> &of_explicit_euler);
    const Method &method;  // its kernel, phases and reference: an iteration is a step
    std::span<const Method *const> by_solver =
        {};  // of implicit steps: the methods for each solver.method that solves them
    /// Of systems: how it steps that of the case.
    SystemSteps (*steps_of_system)(const Config &config) = nullptr;
    /// Stages of a step of that size, each a phase, where they depend on it; `of_explicit_euler`: its largest stable step.
    int (*stages_of_step)(double step, double of_explicit_euler) = nullptr;
    /// The longest step of so many stages; dt: auto is a part of that of `automatic_stages` or fewer.
    double (*step_of_stages)(int stages, double of_explicit_euler) = nullptr;
    int automatic_stages = 0;
    /// Which of several with the same word a case takes; null: all cases.
    bool (*suits)(const Config &config) = nullptr;
};

std::span<const Integrator *const> all_integrators();

/// The integrator that a case in time asks for.
const Integrator &integrator_of(const Config &config);

/// How it steps the formulas of the case; of those in which heat is watched, which nothing steps, what a step has by default.
SystemSteps steps_of_formulas(const Config &config);

}  // namespace perdure
