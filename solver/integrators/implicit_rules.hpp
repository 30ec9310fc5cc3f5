// The implicit methods of all equations: see solver/methods/implicit_rule.hpp.
#pragma once

#include <limits>
#include <vector>

#include "solver/methods/implicit_rule.hpp"

namespace perdure {

inline StepWeights backward_euler_weights(double dt, double /*ratio*/) {
    return {.mass = 1.0 / dt, .now = 1.0 / dt};
}
inline StepWeights crank_nicolson_weights(double dt, double /*ratio*/) {
    return {.mass = 2.0 / dt, .source = 2.0, .now = 4.0 / dt};
}
inline StepWeights bdf2_weights(double dt, double ratio) {
    return {.mass = (1.0 + 2.0 * ratio) / ((1.0 + ratio) * dt),
            .now = (1.0 + ratio) / dt,
            .before = -ratio * ratio / ((1.0 + ratio) * dt)};
}

inline constexpr ImplicitRule backward_euler_rule{.weights = backward_euler_weights};
inline constexpr ImplicitRule crank_nicolson_rule{.weights = crank_nicolson_weights,
                                                  .subtracts_operator = true,
                                                  .takes_mean_of_sources = true,
                                                  .damps = false};
inline constexpr ImplicitRule bdf2_rule{.weights = bdf2_weights, .remembers = true};
inline constexpr ImplicitRule imex_rule{.weights = bdf2_weights, .remembers = true, .divides = true};

/// What moves is damped, and no step is too large.
inline double no_limit_of_steps(const std::vector<double> & /*of_explicit_euler*/) {
    return std::numeric_limits<double>::infinity();
}

}  // namespace perdure
