#include "solver/run/check_range.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace perdure {
namespace {

template <typename Real>
bool all_finite(const std::vector<Real> &values) {
    return std::all_of(values.begin(), values.end(), [](Real value) { return std::isfinite(value); });
}

template <typename Number>
bool any_nonzero(const std::vector<Number> &values) {
    return std::any_of(values.begin(), values.end(), [](Number value) { return value != Number(0); });
}

}  // namespace

template <typename Real>
void check_range(const Discretisation<Real> &out, const std::vector<double> &b) {
    const char *precision = name(sizeof(Real) == sizeof(float) ? Precision::float32 : Precision::float64);
    bool fits = all_finite(out.diagonal) && all_finite(out.inverse_diagonal);
    for (int axis = 0; axis < 3; ++axis) {
        fits = fits && all_finite(out.face[axis]) && all_finite(out.across[axis]);
    }
    if (!fits) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("a / spacing^2, velocity / spacing, sigma or an exchange coefficient is "
                                  "too large or too small for {}; "
                                  "choose other units",
                                  precision));
    }
    if (!all_finite(b)) {
        return;  // the run finds these, and their cell
    }
    double sum = 0.0;
    for (const Real value : out.b) {
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    if (!std::isfinite(sum) || (sum == 0.0 && any_nonzero(b))) {
        throw Failure(
            ExitCode::bad_input,
            fmt::format(
                "the right-hand side (f and side values) is too {} for {}: its norm {}; choose other units",
                sum > 0.0 ? "large" : "small", precision, sum > 0.0 ? "overflows" : "vanishes"));
    }
}

template void check_range(const Discretisation<float> &, const std::vector<double> &);
template void check_range(const Discretisation<double> &, const std::vector<double> &);

}  // namespace perdure
