// --set key.path=value: changes to the YAML tree before anything in it is checked.
#pragma once

#include <string>
#include <vector>

#include "solver/case_file/findings.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// Sets each value in order, creating the maps that lead to it. Values are YAML; their place is `--set TEXT`.
/// Overrides that are malformed, or lead through something that is no map, become findings.
void apply_overrides(YamlNode &root, const std::vector<std::string> &overrides, Findings &findings);

/// Without spaces, tabs and carriage returns at its ends.
std::string trim(const std::string &text);

/// The keys of `a.b.c`; none when one of them is empty.
std::vector<std::string> split_key_path(const std::string &path);

/// Puts `value` under `keys`, creating the maps that lead there; what came from elsewhere has its place at `position`. A
/// finding when the keys lead through something that is no map.
void set_value(YamlNode &root, const std::vector<std::string> &keys, YamlNode value,
               const TextPosition &position, Findings &findings);

/// `text` with a comment line `# --set TEXT` for each override.
std::string note_overrides(std::string text, const std::vector<std::string> &overrides);

}  // namespace perdure
