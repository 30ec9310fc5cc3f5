#include "solver/reference/compare_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/equations/equation.hpp"

namespace perdure {

namespace {

template <class Real>
FieldDifference compare_values(const LargeVector<Real> &values, std::span<const double> reference) {
    FieldDifference result;
    std::int64_t compared = 0;
    double squares = 0.0;
    double reference_squares = 0.0;
    double reference_max = 0.0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const auto value = static_cast<double>(values[i]);
        if (std::isnan(value) || std::isnan(reference[i])) {
            result.disagreeing_exclusions += std::isnan(value) != std::isnan(reference[i]) ? 1 : 0;
            continue;
        }
        const double difference = std::abs(value - reference[i]);
        if (compared++ == 0 || difference > result.max) {
            result.max = difference;
            result.worst_cell = static_cast<std::int64_t>(i);
        }
        squares += difference * difference;
        reference_squares += reference[i] * reference[i];
        reference_max = std::max(reference_max, std::abs(reference[i]));
    }
    if (compared > 0) {
        const double mean = std::sqrt(reference_squares / static_cast<double>(compared));
        result.l2 = std::sqrt(squares / static_cast<double>(compared));
        result.l2_relative = mean > 0.0 ? result.l2 / mean : result.l2;
        result.max_relative = reference_max > 0.0 ? result.max / reference_max : result.max;
    }
    return result;
}

}  // namespace

FieldDifference compare(const FieldValues &values, std::span<const double> reference) {
    return std::visit(
        [&](const auto &field) {
            if (field.size() != reference.size()) {
                throw Failure(
                    ExitCode::differs_or_internal,
                    fmt::format(
                        "internal error: a field of {} cells cannot be compared with a reference of {} cells",
                        field.size(), reference.size()));
            }
            return compare_values(field, reference);
        },
        values);
}

double agreement_bound(const Config &config) {
    const bool single = config.execution.precision == Precision::float32;
    const Equation &equation = equation_of(config.type);
    const double of_steps = single ? equation.agreement_single : equation.agreement_double;
    if (!solves_systems(config)) {
        return of_steps;
    }
    return std::max({of_steps, 1.0e3 * config.solver.rtol, single ? 1.0e-3 : 1.0e-10});
}

bool agrees(const FieldDifference &difference, double bound) {
    constexpr double maximum_per_l2 = 100.0;
    return difference.l2_relative <= bound && difference.max_relative <= maximum_per_l2 * bound &&
           difference.disagreeing_exclusions == 0;
}

}  // namespace perdure
