#include <array>
#include <cmath>
#include <complex>

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

}  // namespace

double stable_product(const Tableau &tableau, std::complex<double> lambda) {
    const Complex direction = Complex(-std::abs(lambda.real()), lambda.imag()) / std::abs(lambda);
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

}  // namespace perdure
