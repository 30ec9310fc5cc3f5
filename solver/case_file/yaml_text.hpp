// Writes a YAML tree as text in one line.
#pragma once

#include <string>

#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// Flow style: `{grid: {shape: [64, 64]}, title: "a: b"}`. Reads back as the same tree, places aside.
std::string flow_text(const YamlNode &node);

}  // namespace perdure
