// Checks whether the units of formulas are consistent, as far as units are given.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "solver/systems/formula_findings.hpp"
#include "solver/systems/symbols.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::systems {

/// Powers of base units by name: of m/s {{m, 1}, {s, -1}}. Prefixes and factors are left out: km/h is m/s. Words that are no unit of
/// the SI are units of their own.
using Units = std::map<std::string, double>;

/// Of a text such as mol/m3, m^2/s, kg m-1 s-2, W.m-1.K-1, W/(m2 K), 1/s; nothing where it cannot be read. A division divides by the one
/// unit or bracket behind it: a product that follows needs brackets, because W/m.K could be meant as W/(m K) or as W K/m.
std::optional<Units> read_units(const std::string &text);

/// units * more^power.
void multiply_units(Units &units, const Units &more, double power);

/// How many base units a unit is: powers of 2, 3 and 5, so that units which cancel leave exactly 1.
using UnitFactor = std::array<double, 3>;

/// What a text of units says besides the powers of its base units.
struct UnitsInDetail {
    Units units;
    UnitFactor factor{};
    std::vector<std::string> names;    // as they are written, without powers
    std::vector<std::string> unknown;  // of these those that are no unit of the SI
};

/// The same with factors and names.
std::optional<UnitsInDetail> read_units_in_detail(const std::string &text);

/// Why a text cannot be read; empty where it can, and where nothing particular can be said.
std::string mistake_in_units(const std::string &text);

/// "kg m-1 s-2"; "1" of a pure number.
std::string to_text(const Units &units);

/// Warnings where a sum, a comparison or an equation joins values of different units, or a function needs a pure number; derivatives are
/// per m, rates per s. What has no units given fits everything: fields and parameters without, coordinates, the time, numbers in sums, and
/// in products those that are no simple ones such as 2 or 0.5. Also of units that cannot be read. Formulas are sound.
void warn_of_units(const SystemConfig &config, const Symbols &symbols, int dimensions,
                   FormulaFindings &findings);

}  // namespace perdure::systems
