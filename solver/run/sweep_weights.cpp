#include "solver/run/sweep_weights.hpp"

#include <cmath>

namespace perdure {
namespace {

/// No eigenvalue of D^-1 A is larger (Gershgorin), on any level.
constexpr double spectrum_top = 2.0;
/// Of the eigenvalues that sweeps are for; smaller ones are left to the next level.
constexpr double smoothed_ratio = 6.0;
constexpr double pi = 3.14159265358979323846;

/// They make the Chebyshev polynomial on [top / ratio, top].
std::vector<double> chebyshev_weights(int sweeps, double top, double ratio) {
    const double centre = 0.5 * (top + top / ratio);
    const double radius = 0.5 * (top - top / ratio);
    std::vector<double> weights;
    for (int i = 1; i <= sweeps; ++i) {
        weights.push_back(1.0 / (centre - radius * std::cos(pi * (2.0 * i - 1.0) / (2.0 * sweeps))));
    }
    return weights;
}

}  // namespace

std::vector<double> sweep_weights(const MultigridConfig &options) {
    if (options.smoother == Smoother::jacobi) {
        return std::vector<double>(options.sweeps, 2.0 / (spectrum_top + spectrum_top / smoothed_ratio));
    }
    return chebyshev_weights(options.sweeps, spectrum_top, smoothed_ratio);
}

}  // namespace perdure
