// In which units the lengths and times of a case are.
#pragma once

#include "solver/case_file/findings.hpp"
#include "solver/case_file/grid_config.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// The section `units`. Lengths and times of the case that are given with a unit, such as `33 min`, become numbers in those units.
DeclaredUnits read_declared_units(YamlNode &root, const TextPosition &start, Findings &findings);

}  // namespace perdure
