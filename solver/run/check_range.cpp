#include "solver/run/check_range.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include <fmt/format.h>

#include "solver/problem/in_parallel.hpp"

namespace perdure {
namespace {

template <typename Real>
bool all_finite(const LargeVector<Real> &values) {
    std::atomic<bool> all = true;
    in_parallel(static_cast<std::int64_t>(values.size()), [&](std::int64_t begin, std::int64_t end) {
        bool here = true;
        for (std::int64_t i = begin; i < end; ++i) {
            here = here && std::isfinite(values[i]);
        }
        if (!here) {
            all.store(false, std::memory_order_relaxed);
        }
    });
    return all;
}

template <typename Real>
Extremes extremes_of(const LargeVector<Real> &values) {
    Extremes all;
    std::mutex lock;
    in_parallel(static_cast<std::int64_t>(values.size()), [&](std::int64_t begin, std::int64_t end) {
        Extremes here;
        for (std::int64_t i = begin; i < end; ++i) {
            here.take(values[i]);
        }
        const std::lock_guard hold(lock);
        all.take(here);
    });
    return all;
}

/// Of squares, the least sum: a residual at the smallest tolerance, 1e-16 of it in a billion cells, still has squares that are normal
/// numbers.
constexpr double least_square = 1.0e-260;

/// Between the largest and the smallest conductance in float32 cycles: leaves 1e8 to the corrections they work on.
constexpr double most_contrast = 1.0e30;

}  // namespace

template <typename Real>
void check_range(const Discretisation<Real> &out) {
    const char *precision = name(sizeof(Real) == sizeof(float) ? Precision::float32 : Precision::float64);
    bool fits = out.survey.finite && all_finite(out.diagonal) && all_finite(out.inverse_diagonal) &&
                all_finite(out.labels.table);
    for (int axis = 0; axis < 3; ++axis) {
        fits = fits && all_finite(out.face[axis]) && all_finite(out.across[axis]);
    }
    if (!fits) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("a / spacing^2, velocity / spacing, sigma or the coefficient of a side is "
                                  "too large or too small for {}; choose other units",
                                  precision));
    }
    if (!out.b_survey.finite) {
        return;  // the run finds these, and their cell
    }
    const double sum = out.b_survey.sum_of_squares;
    if (!std::isfinite(sum) || (sum < least_square && out.b_survey.any_nonzero)) {
        const bool large = !std::isfinite(sum);
        const char *why = large        ? "overflows"
                          : sum == 0.0 ? "vanishes"
                                       : "is so small that squared residuals become 0";
        throw Failure(
            ExitCode::bad_input,
            fmt::format(
                "the right-hand side (f and side values) is too {} for {}: its norm {}; choose other units",
                large ? "large" : "small", precision, why));
    }
}

template <typename Real>
double scale_to_float32(const Discretisation<Real> &out) {
    Extremes all = out.survey.conductances;
    for (const LargeVector<Real> *values :
         {&out.diagonal, &out.face[0], &out.face[1], &out.face[2], &out.labels.table}) {
        all.take(extremes_of(*values));
    }
    const auto [smallest, largest] = all;
    if (largest > most_contrast * smallest) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("conductances a / spacing^2 and sigma range from {:.3g} to {:.3g}, which "
                                  "is more than the float32 cycles of execution.precision: mixed can "
                                  "represent (a factor of {:.0e}); use float64",
                                  smallest, largest, most_contrast));
    }
    return largest > 0.0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
}

template double scale_to_float32(const Discretisation<float> &);
template double scale_to_float32(const Discretisation<double> &);
template void check_range(const Discretisation<float> &);
template void check_range(const Discretisation<double> &);

}  // namespace perdure
