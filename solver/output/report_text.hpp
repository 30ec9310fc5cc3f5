// Writes a report as text and as JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "solver/output/solution.hpp"

namespace perdure {

/// A few lines: why it stopped, iterations, residuals, time, effective properties.
std::string to_text(const Report &report, const Grid &grid);

/// Every figure of the report but its history; NaN and infinities become null.
nlohmann::ordered_json figures_to_json(const Report &report);
/// The same with the history.
nlohmann::ordered_json to_json(const Report &report);

}  // namespace perdure
