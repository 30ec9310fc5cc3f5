// The text of a formula in a case file, with the positions of its characters.
#pragma once

#include <string>

#include "solver/case_file/yaml_reader.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure {

/// A number or a text: its first character is where columns in findings about it count from. `what` describes it.
FormulaText read_formula(const YamlValue &value, const std::string &what);

}  // namespace perdure
