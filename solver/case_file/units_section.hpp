// In which units the lengths and times of a case are.
#pragma once

#include "solver/case_file/findings.hpp"
#include "solver/case_file/grid_config.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// The section `units`. Lengths and times of the case that are given with a unit, such as `33 min`, become numbers in those units.
DeclaredUnits read_declared_units(YamlNode &root, const TextPosition &start, Findings &findings);

/// The same of the values that a sweep gives to lengths and times, also of the ends of ranges; to be called before the sweep is taken.
/// Where the sweep sets the units themselves, its values stay as they are.
void convert_units_of_sweep(YamlNode &root, Findings &findings);

}  // namespace perdure
