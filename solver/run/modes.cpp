#include "solver/run/modes.hpp"

#include <cmath>
#include <numbers>

namespace perdure {
namespace {

/// What a side turns the cosine of angle theta by: 0 where nothing conducts to it, pi / 2 where u is given half a cell
/// away, and less for larger theta in between. From u beyond the side = (1 - side / face) u before it.
double turned_by(double side, double face, double theta) {
    return std::atan2(side * std::cos(0.5 * theta), (2.0 * face - side) * std::sin(0.5 * theta));
}

/// The angle of mode k:  n theta = k pi + turned by both sides, of which the left side grows faster than the right.
double angle(const AxisOperator &axis, std::uint32_t k) {
    const double n = axis.cells;
    const auto beyond = [&](double theta) {
        return n * theta - k * std::numbers::pi -
               (turned_by(axis.lower, axis.face, theta) + turned_by(axis.upper, axis.face, theta));
    };
    double low = k * std::numbers::pi / n;
    double high = (k + 1) * std::numbers::pi / n;
    if (beyond(low) >= 0.0) {
        return low;
    }
    if (beyond(high) <= 0.0) {
        return high;
    }
    for (double middle = 0.5 * (low + high); low < middle && middle < high; middle = 0.5 * (low + high)) {
        (beyond(middle) < 0.0 ? low : high) = middle;
    }
    return high;
}

/// Sum of the squares of  cos((i + 1/2) theta - phi), i < n.  In closed form where that does not divide by all but 0.
double sum_of_squares(double n, double theta, double phi) {
    constexpr double nearly_zero = 1.0e-4;
    if (std::abs(std::sin(theta)) > nearly_zero) {
        return 0.5 * n + 0.5 * std::sin(n * theta) / std::sin(theta) * std::cos(n * theta - 2.0 * phi);
    }
    double sum = 0.0;
    for (double i = 0.5; i < n; ++i) {
        const double value = std::cos(i * theta - phi);
        sum += value * value;
    }
    return sum;
}

/// Waves of m periods, each as a cosine and a sine about the middle; of n / 2 periods the cosine is 0.
wave_t periodic_wave(std::uint32_t n, std::uint32_t k) {
    const std::uint32_t periods = (k + 1) / 2;
    const bool cosine = k == 0 || (k % 2 == 1 && 2 * periods != n);
    const bool single = k == 0 || 2 * periods == n;
    const double turn = cosine ? 0.0 : 0.5 * std::numbers::pi;
    const double scale = std::sqrt((single ? 1.0 : 2.0) / n);
    return {2.0 * std::numbers::pi * periods / n, {turn, turn}, {scale, cosine ? scale : -scale}};
}

/// From both ends to the middle, each by the turn at its own side: angles stay small.
wave_t wave_between_sides(const AxisOperator &axis, std::uint32_t k) {
    const double theta = angle(axis, k);
    const double lower = turned_by(axis.lower, axis.face, theta);
    const double upper = turned_by(axis.upper, axis.face, theta);
    const double scale = 1.0 / std::sqrt(sum_of_squares(axis.cells, theta, lower));
    return {theta, {lower, upper}, {scale, k % 2 == 0 ? scale : -scale}};
}

}  // namespace

double eigenvalue(double face, double theta) {
    const double half = std::sin(0.5 * theta);
    return 4.0 * face * half * half;
}

Modes modes_of(const AxisOperator &axis) {
    const std::uint32_t n = axis.cells;
    if (n == 1) {
        return {{axis.lower + axis.upper}, {{0.0, {0.0, 0.0}, {1.0, 1.0}}}};
    }
    Modes modes;
    for (std::uint32_t k = 0; k < n; ++k) {
        modes.waves.push_back(axis.periodic ? periodic_wave(n, k) : wave_between_sides(axis, k));
        modes.values.push_back(eigenvalue(axis.face, modes.waves.back().angle));
    }
    return modes;
}

}  // namespace perdure
