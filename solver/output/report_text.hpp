// A report for people and for programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "solver/output/solution.hpp"

namespace perdure {

/// A few lines: why it stopped, iterations, residuals, time, effective properties.
std::string to_text(const Report &report, const Grid &grid);

/// The wall time and its parts, in s, without those that are negligible.
std::string to_text(const TimeSpent &spent);

/// The same as entries of a report: "read_seconds", ..., "total_seconds"; of background threads "write_background_seconds".
std::vector<std::pair<std::string, double>> named_seconds(const TimeSpent &spent);

/// Every figure of the report; NaN and infinities become null.
nlohmann::ordered_json to_json(const Report &report);

}  // namespace perdure
