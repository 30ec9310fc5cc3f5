// The rules of implicit time-stepping methods: see kernels/implicit_step.h.
#pragma once

namespace perdure {

/// The system (L + mass c) u(n+1) = source s + c (now u(n) + before u(n-1)) that a step solves.
struct StepWeights {
    double mass = 0.0;
    double source = 1.0;
    double now = 0.0;
    double before = 0.0;

    bool operator==(const StepWeights &) const = default;
};

struct ImplicitRule {
    /// Of a step dt; `ratio`: dt over the step before it, 0 in the first step.
    StepWeights (*weights)(double dt, double ratio);
    bool subtracts_operator = false;     // (L + mass c) u(n) from the right side
    bool remembers = false;              // u(n-1)
    bool takes_mean_of_sources = false;  // at both ends of the step; else at its end
    bool damps = true;  // what changes fast; else steps may oscillate, and be no guide to the next one
    /// Of systems: some terms are explicit, E of the rates R + E. They are taken at the end of the step, extrapolated from its beginning and
    /// that of the step before it; in the first step, at its beginning.
    bool divides = false;
};

}  // namespace perdure
