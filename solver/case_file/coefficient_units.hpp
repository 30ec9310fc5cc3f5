// Coefficients, sources and values of a case that are given with units, such as `0.6 W/(m K)`.
#pragma once

#include <string>
#include <vector>

#include "solver/case_file/findings.hpp"
#include "solver/case_file/grid_config.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// What the values with units tell of the case.
struct UnitsOfValues {
    std::string u, flux;               // in the units of the case; empty: not known
    std::vector<std::string> assumed;  // units that values without any are in, in words
};

/// Makes numbers of them, in the units of length and time that the case declares. What else their units name stays: of mass and energy,
/// which the SI joins by length and time, a case may name one. Adds findings where units are not known, do not fit the equation together,
/// or need a length or time that the case does not declare.
UnitsOfValues convert_units_of_coefficients(YamlNode &root, const DeclaredUnits &declared,
                                            Findings &findings);

}  // namespace perdure
