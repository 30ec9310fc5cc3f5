// What advances a problem in time: one descriptor for each `time.integrator`, and the registry of all of them.
#pragma once

#include <span>
#include <vector>

#include "solver/methods/method.hpp"

namespace perdure {

struct Tableau;

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
    const Tableau *tableau = nullptr;  // of explicit Runge-Kutta methods of systems
};

std::span<const Integrator *const> all_integrators();

/// The integrator that a case in time asks for.
const Integrator &integrator_of(const Config &config);

}  // namespace perdure
