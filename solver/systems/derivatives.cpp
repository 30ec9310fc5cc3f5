#include "solver/systems/derivatives.hpp"

#include <cmath>
#include <numbers>

namespace perdure::systems {

std::array<double, 3> slopes_of(Operation operation, double a, double b, double c) {
    switch (operation) {
        case Operation::ADD:
            return {1.0, 1.0, 0.0};
        case Operation::SUBTRACT:
            return {1.0, -1.0, 0.0};
        case Operation::MULTIPLY:
            return {b, a, 0.0};
        case Operation::DIVIDE:
            return {1.0 / b, -a / (b * b), 0.0};
        case Operation::FUSED_PRODUCT:
            return {b, a, 1.0};
        case Operation::NEGATE:
            return {-1.0, 0.0, 0.0};
        case Operation::ABSOLUTE:
            return {a < 0.0 ? -1.0 : 1.0, 0.0, 0.0};
        case Operation::MINIMUM:
            return {b < a ? 0.0 : 1.0, b < a ? 1.0 : 0.0, 0.0};
        case Operation::MAXIMUM:
            return {a < b ? 0.0 : 1.0, a < b ? 1.0 : 0.0, 0.0};
        case Operation::SQUARE_ROOT:
            return {0.5 / std::sqrt(a), 0.0, 0.0};
        case Operation::EXPONENTIAL:
            return {std::exp(a), 0.0, 0.0};
        case Operation::LOGARITHM:
            return {1.0 / a, 0.0, 0.0};
        case Operation::LOGARITHM_2:
            return {std::numbers::log2e / a, 0.0, 0.0};
        case Operation::LOGARITHM_10:
            return {std::numbers::log10e / a, 0.0, 0.0};
        case Operation::SINE:
            return {std::cos(a), 0.0, 0.0};
        case Operation::COSINE:
            return {-std::sin(a), 0.0, 0.0};
        case Operation::TANGENT:
            return {1.0 + std::tan(a) * std::tan(a), 0.0, 0.0};
        case Operation::ARC_SINE:
            return {1.0 / std::sqrt(1.0 - a * a), 0.0, 0.0};
        case Operation::ARC_COSINE:
            return {-1.0 / std::sqrt(1.0 - a * a), 0.0, 0.0};
        case Operation::ARC_TANGENT:
            return {1.0 / (1.0 + a * a), 0.0, 0.0};
        case Operation::ARC_TANGENT_2:
            return {b / (a * a + b * b), -a / (a * a + b * b), 0.0};
        case Operation::HYPERBOLIC_SINE:
            return {std::cosh(a), 0.0, 0.0};
        case Operation::HYPERBOLIC_COSINE:
            return {std::sinh(a), 0.0, 0.0};
        case Operation::HYPERBOLIC_TANGENT:
            return {1.0 - std::tanh(a) * std::tanh(a), 0.0, 0.0};
        case Operation::INVERSE_HYPERBOLIC_SINE:
            return {1.0 / std::sqrt(a * a + 1.0), 0.0, 0.0};
        case Operation::INVERSE_HYPERBOLIC_COSINE:
            return {1.0 / std::sqrt(a * a - 1.0), 0.0, 0.0};
        case Operation::INVERSE_HYPERBOLIC_TANGENT:
            return {1.0 / (1.0 - a * a), 0.0, 0.0};
        case Operation::ERROR_FUNCTION:
            return {2.0 * std::numbers::inv_sqrtpi * std::exp(-a * a), 0.0, 0.0};
        case Operation::POWER:
            return {b * std::pow(a, b - 1.0), a > 0.0 ? std::log(a) * std::pow(a, b) : 0.0, 0.0};
        case Operation::SELECT:
            return {0.0, a != 0.0 ? 1.0 : 0.0, a != 0.0 ? 0.0 : 1.0};
        default:
            return {0.0, 0.0, 0.0};
    }
    (void)c;
}

std::vector<double> derivatives(const Graph &graph, int root, const std::vector<double> &values) {
    const std::vector<Term> &terms = graph.terms();
    std::vector<double> slopes(static_cast<std::size_t>(root) + 1, 0.0);
    slopes.back() = 1.0;
    for (int i = root; i >= 0; --i) {
        const Term &term = terms[i];
        const int arguments = arguments_of(term.operation);
        if (slopes[i] == 0.0 || arguments == 0) {
            continue;
        }
        const auto value = [&](int k) { return k < arguments ? values[term.arguments[k]] : 0.0; };
        const std::array<double, 3> own = slopes_of(term.operation, value(0), value(1), value(2));
        for (int k = 0; k < arguments; ++k) {
            if (own[k] != 0.0) {
                slopes[term.arguments[k]] += slopes[i] * own[k];
            }
        }
    }
    return slopes;
}

}  // namespace perdure::systems
