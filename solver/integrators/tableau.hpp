// Coefficients of explicit Runge-Kutta methods.
#pragma once

#include <array>

#include "kernels/system_setup.h"

namespace perdure {

/// Stage s is at t + node[s] dt; weight[s][j], j <= s: of the rate of stage j in what stage s makes, the values of stage s + 1 or, of the
/// last stage, of the next step. In the usual notation (Butcher 2008, Numerical Methods for Ordinary Differential Equations, section 23):
/// node = c, weight[s] = row s + 1 of A, the last one b.
struct Tableau {
    int stages = 1;
    std::array<double, MOST_STAGES> node{};
    std::array<std::array<double, MOST_STAGES>, MOST_STAGES> weight{};

    /// Not of methods that have stages alone.
    [[nodiscard]] bool has_weights() const { return weight[0][0] != 0.0; }
};

}  // namespace perdure
