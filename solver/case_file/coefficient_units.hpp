// Coefficients, sources and values of a case that are given with units, such as `0.6 W/(m K)`.
#pragma once

#include "solver/case_file/findings.hpp"
#include "solver/case_file/grid_config.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// Makes numbers of them, in the units of length and time that the case declares. What else their units name stays: of mass and energy,
/// which the SI joins by length and time, a case may name one. Adds findings where units are not known, do not fit the equation together,
/// or need a length or time that the case does not declare.
void convert_units_of_coefficients(YamlNode &root, const DeclaredUnits &declared, Findings &findings);

}  // namespace perdure
