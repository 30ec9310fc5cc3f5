// Refuses commands whose cases, table and report would overwrite one another.
#pragma once

#include <filesystem>
#include <vector>

#include "solver/commands/commands.hpp"

namespace perdure::commands {

/// Throws Failure(case_or_usage) where two cases would write one result. What is wrong with a case itself is said when its turn comes.
void refuse_equal_results(const std::vector<BatchCase> &cases, const CaseOptions &options);

/// Throws Failure(case_or_usage) where --json=FILE is a result or the table of this call. `table`: its files without their endings;
/// empty where there is none.
void refuse_report_over_results(const JsonOutput &json, const std::vector<BatchCase> &cases,
                                const std::filesystem::path &table);

}  // namespace perdure::commands
