#include "solver/run/check_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Of squares, the least sum: a residual at the smallest tolerance, 1e-16 of it in a billion cells, still has squares that are normal
/// numbers.
constexpr double least_square = 1.0e-260;

/// Between the largest and the smallest conductance in float32 cycles: leaves 1e8 to the corrections they work on.
constexpr double most_contrast = 1.0e30;

}  // namespace

template <typename Real>
void check_range(const Discretisation<Real> &out, const std::vector<double> &b) {
    const char *precision = name(sizeof(Real) == sizeof(float) ? Precision::float32 : Precision::float64);
    bool fits = all_finite(out.diagonal) && all_finite(out.inverse_diagonal) && all_finite(out.labels.table);
    for (int axis = 0; axis < 3; ++axis) {
        fits = fits && all_finite(out.face[axis]) && all_finite(out.across[axis]);
    }
    if (!fits) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("a / spacing^2, velocity / spacing, sigma or a coefficient of a side is "
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
    if (!std::isfinite(sum) || (sum < least_square && any_nonzero(b))) {
        const bool large = !std::isfinite(sum);
        const char *why = large        ? "overflows"
                          : sum == 0.0 ? "vanishes"
                                       : "is so small that the squares of residuals vanish";
        throw Failure(
            ExitCode::bad_input,
            fmt::format(
                "the right-hand side (f and side values) is too {} for {}: its norm {}; choose other units",
                large ? "large" : "small", precision, why));
    }
}

template <typename Real>
double scale_to_float32(const Discretisation<Real> &out) {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    const auto take = [&](double magnitude) {
        if (magnitude > 0.0) {
            smallest = std::min(smallest, magnitude);
            largest = std::max(largest, magnitude);
        }
    };
    for (const std::vector<Real> *values :
         {&out.diagonal, &out.face[0], &out.face[1], &out.face[2], &out.labels.table}) {
        std::for_each(values->begin(), values->end(), take);
    }
    if (largest > most_contrast * smallest) {
        throw Failure(
            ExitCode::bad_input,
            fmt::format("conductances a / spacing^2 and sigma reach from {:.3g} to {:.3g}, which is "
                        "more than the float32 cycles of execution.precision: mixed hold (a factor of "
                        "{:.0e}); use float64",
                        smallest, largest, most_contrast));
    }
    return largest > 0.0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
}

template double scale_to_float32(const Discretisation<float> &);
template double scale_to_float32(const Discretisation<double> &);
template void check_range(const Discretisation<float> &, const std::vector<double> &);
template void check_range(const Discretisation<double> &, const std::vector<double> &);

}  // namespace perdure
