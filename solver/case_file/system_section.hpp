// Reads the parts of a case file that define a system of equations.
#pragma once

#include <filesystem>
#include <optional>

#include "solver/case_file/config.hpp"
#include "solver/case_file/yaml_reader.hpp"

namespace perdure {

/// fields, parameters, let, coefficients and equations of `problem`; sides that fields give for themselves.
SystemConfig read_system(YamlMap &problem, const std::filesystem::path &folder);

/// `boundary`: what holds at a side for all fields of config.system that do not say so themselves. config.sides tells which axes are
/// periodic.
void read_system_boundary(YamlMap &root, std::optional<int> dimensions, Config &config);

/// Formulas of the case: those of config.system, or those in which heat is watched; null where there are none.
const SystemConfig *formulas_of(const Config &config);

/// `watch`, of cases with formulas.
void read_watch(YamlMap &root, std::optional<int> dimensions, Config &config);

/// Parses what is watched, once `time` is read: config.formulas then has it.
void parse_watch(Config &config, Findings &findings);

/// The entries of a map in the order of the file, each with its key.
std::vector<std::pair<std::string, YamlValue>> entries_of(const YamlValue &value, const std::string &what);

/// Parses formulas_of(config), and keeps what follows; what is wrong goes to the findings.
void parse_system(Config &config, Findings &findings);

}  // namespace perdure
