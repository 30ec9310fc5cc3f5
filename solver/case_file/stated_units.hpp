// Amounts in the units that a case declares: lengths and times as it says, energies in joules, all else in units of the SI.
#pragma once

#include <string>

#include "solver/case_file/grid_config.hpp"
#include "solver/systems/units.hpp"

namespace perdure {

/// Of a mass and an energy, which the SI joins by lengths and times, the one that stays the same when these are in other units. Told from
/// the units alone, so that all members of a sweep have the same: an energy where one is named, as in W and Pa, and where it is written out
/// in kilograms, as in kg m/(s3 K).
enum class Kept { neither, mass, energy };
Kept kept_of(const systems::UnitsInDetail &units);

/// The powers of a length and a time that stand beside what is kept.
struct PowersOfLengthAndTime {
    double length = 0.0, time = 0.0;
};
PowersOfLengthAndTime powers_of_length_and_time(const systems::Units &units, Kept kept);

/// The number of such an amount in the units that the case declares, m and s where it does not.
double in_declared_units(double number, const systems::UnitsInDetail &units, const DeclaredUnits &declared);

/// "J/(mm3 K)".
std::string text_in_declared_units(const systems::Units &units, const DeclaredUnits &declared, Kept kept);

}  // namespace perdure
