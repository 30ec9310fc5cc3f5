// Reads problem.tables: values in time that formulas use by name.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/findings.hpp"
#include "solver/case_file/time_table.hpp"
#include "solver/case_file/yaml_reader.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure {

struct TimeConfig;

/// The keys of `problem.tables`.
std::span<const CaseKey> table_keys();

/// Reads `problem.tables` with the files it names. What is wrong, with the file's line where it is there, goes to the findings.
std::vector<TimeTable> read_tables(YamlMap &problem, const std::filesystem::path &folder);

/// Findings about tables that end before the run does.
void check_tables(const std::vector<TimeTable> &tables, const TimeConfig &time, Findings &findings);

/// A formula of t, or of the part NAME_time where the table repeats: cases nested in halves, linear between rows.
FormulaText formula_of(const TimeTable &table);

/// The same of t alone.
std::string formula_of_t(const TimeTable &table);

/// Puts the tables in front of the other parts of a system, which then may name them.
void add_tables(const std::vector<TimeTable> &tables, SystemConfig &system);

}  // namespace perdure
