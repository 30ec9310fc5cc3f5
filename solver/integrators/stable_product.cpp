#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "solver/integrators/system_steps.hpp"

namespace perdure {
namespace {

using Complex = std::complex<double>;

constexpr double largest_product = 64.0;
constexpr double resolution = 1.0 / 128.0;

/// What one step multiplies u by where du/dt = lambda u, z = dt lambda.
Complex amplification(const Tableau &tableau, Complex z) {
    std::array<Complex, MOST_STAGES> rates;
    Complex value = 1.0;
    for (int stage = 0; stage < tableau.stages; ++stage) {
        rates[stage] = z * value;
        value = 1.0;
        for (int j = 0; j <= stage; ++j) {
            value += tableau.weight[stage][j] * rates[j];
        }
    }
    return value;
}

double stable_product(const Tableau &tableau, Complex direction) {
    double product = 0.0;
    while (product < largest_product) {
        const double next = product + resolution;
        if (std::abs(amplification(tableau, next * direction)) > 1.0 + 1.0e-4 * next) {
            break;
        }
        product = next;
    }
    return product;
}

constexpr double quarter_turn = 0.5 * std::numbers::pi;
constexpr int parts = 512;  // of a quarter turn

}  // namespace

StableProducts::StableProducts(const Tableau &tableau) {
    for (int part = 0; part <= parts; ++part) {
        const double angle = quarter_turn * part / parts;
        const Complex direction =
            part == parts ? Complex(0.0, 1.0) : Complex(-std::cos(angle), std::sin(angle));
        of_directions_.push_back(stable_product(tableau, direction));
    }
}

double growth_of_oscillation(const Tableau &tableau, double product) {
    return std::abs(amplification(tableau, Complex(0.0, product)));
}

double StableProducts::operator()(Complex lambda) const {
    const double place =
        std::atan2(std::abs(lambda.imag()), std::abs(lambda.real())) * (parts / quarter_turn);
    const int below = std::min(static_cast<int>(place), parts - 1);
    const double share = place - below;
    return (1.0 - share) * of_directions_[below] + share * of_directions_[below + 1];
}

}  // namespace perdure
