// What advances a problem in time: one descriptor for each `time.integrator`, and the registry of all of them.
#pragma once

#include <span>

#include "solver/methods/method.hpp"

namespace perdure {

/// An integrator as the rest of the program sees it: it asks for these properties, not for the name.
struct Integrator {
    TimeIntegrator word;
    int order;
    int stages;              // evaluations of the right-hand side in a step
    double stability_limit;  // largest stable step times the largest |eigenvalue|, on the negative real axis
    const Method &method;    // its kernel, phases and reference: an iteration is a step
};

std::span<const Integrator *const> all_integrators();

/// The integrator that a case in time asks for.
const Integrator &integrator_of(const Config &config);

}  // namespace perdure
