// What energy bounds say, in digits.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "solver/output/energy_bounds.hpp"

namespace perdure {
namespace {

constexpr int most_digits = 12;

/// `value` with so many significant digits, not below it (`up`) or not above it.
std::string rounded(double value, int digits, bool up) {
    const double unit = value > 0.0 ? std::pow(10.0, std::floor(std::log10(value)) + 1 - digits) : 1.0;
    const double steps = value / unit;
    return fmt::format("{:.{}g}", (up ? std::ceil(steps) : std::floor(steps)) * unit, digits);
}

}  // namespace

int certain_digits(const Bounds &bounds) {
    const double distance = (bounds.upper - bounds.lower) / bounds.upper;
    return static_cast<int>(std::clamp(-std::log10(distance), 0.0, double{most_digits}));
}

std::string to_text(const Bounds &bounds) {
    const int digits = certain_digits(bounds);
    return fmt::format(
        "bounds guarantee {} digit{} of the coefficient on this grid: it lies between {} and {}", digits,
        digits == 1 ? "" : "s", rounded(bounds.lower, digits + 2, false),
        rounded(bounds.upper, digits + 2, true));
}

std::string warn_of_few_digits(const Bounds &bounds) {
    return fmt::format(
        "the energy bounds guarantee {} digit{} of the coefficient; lower solver.rtol for more",
        certain_digits(bounds), certain_digits(bounds) == 1 ? "" : "s");
}

}  // namespace perdure
