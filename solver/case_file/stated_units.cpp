#include "solver/case_file/stated_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace perdure {
namespace {

using systems::Units;
using systems::UnitsInDetail;

double power_of(const Units &units, const char *unit) {
    const auto found = units.find(unit);
    return found == units.end() ? 0.0 : found->second;
}

std::string unit_of_length(const DeclaredUnits &declared) {
    return name(declared.length.value_or(LengthUnit::m));
}

std::string unit_of_time(const DeclaredUnits &declared) {
    return name(declared.time.value_or(TimeUnit::s));
}

void divide(systems::UnitFactor &factor, const std::string &unit, double power) {
    const systems::UnitFactor of_unit = systems::read_units_in_detail(unit)->factor;
    for (std::size_t prime = 0; prime < factor.size(); ++prime) {
        factor[prime] -= power * of_unit[prime];
    }
}

/// Units with a positive power, or of the others the inverse: "J" and "mm3 K".
std::string product_of(const std::vector<std::pair<std::string, double>> &powers, double sign, int &count) {
    std::string text;
    for (const auto &[unit, power] : powers) {
        if (sign * power > 0.0) {
            text += fmt::format("{}{}", text.empty() ? "" : " ", unit);
            text += sign * power == 1.0 ? "" : fmt::format("{}", sign * power);
            ++count;
        }
    }
    return text;
}

}  // namespace

Kept kept_of(const UnitsInDetail &units) {
    const double kilograms = power_of(units.units, "kg");
    if (kilograms == 0.0) {
        return Kept::neither;
    }
    const bool names_mass =
        std::ranges::any_of(units.names, [](const std::string &unit) { return unit.ends_with('g'); });
    return !names_mass || power_of(units.units, "s") / kilograms <= -2.0 ? Kept::energy : Kept::mass;
}

PowersOfLengthAndTime powers_of_length_and_time(const Units &units, Kept kept) {
    const double joules = kept == Kept::energy ? power_of(units, "kg") : 0.0;  // kg = J s2 / m2
    return {power_of(units, "m") - 2.0 * joules, power_of(units, "s") + 2.0 * joules};
}

double in_declared_units(double number, const UnitsInDetail &units, const DeclaredUnits &declared) {
    systems::UnitFactor factor = units.factor;
    const PowersOfLengthAndTime powers = powers_of_length_and_time(units.units, kept_of(units));
    divide(factor, unit_of_length(declared), powers.length);
    divide(factor, unit_of_time(declared), powers.time);
    constexpr std::array primes{2.0, 3.0, 5.0};
    double many = 1.0, parts = 1.0;
    for (std::size_t i = 0; i < primes.size(); ++i) {
        (factor[i] > 0.0 ? many : parts) *= std::pow(primes[i], std::abs(factor[i]));
    }
    return number * many / parts;
}

std::string text_in_declared_units(const Units &units, const DeclaredUnits &declared, Kept kept) {
    const PowersOfLengthAndTime powers = powers_of_length_and_time(units, kept);
    std::vector<std::pair<std::string, double>> parts{
        {kept == Kept::energy ? "J" : "kg", power_of(units, "kg")}, {"mol", power_of(units, "mol")}};
    for (const auto &[unit, power] : units) {
        if (unit != "kg" && unit != "mol" && unit != "m" && unit != "s" && unit != "K") {
            parts.emplace_back(unit, power);
        }
    }
    parts.emplace_back(unit_of_length(declared), powers.length);
    parts.emplace_back(unit_of_time(declared), powers.time);
    parts.emplace_back("K", power_of(units, "K"));
    int above = 0, below = 0;
    const std::string upper = product_of(parts, 1.0, above), lower = product_of(parts, -1.0, below);
    return (above == 0 ? "1" : upper) + (below == 0 ? "" : below == 1 ? "/" + lower : "/(" + lower + ")");
}

}  // namespace perdure
