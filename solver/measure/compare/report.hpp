// A comparison as text for people, as JSON, and as Markdown.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "solver/measure/compare/compare.hpp"

namespace perdure::compare {

/// The table of one point, and what is to be said about it.
std::string point_table(const Comparison &comparison, const Point &point);
/// What follows from all points: the copy, order changes, advice, what was left out.
std::string summary(const Comparison &comparison);

inline constexpr const char *markdown_begin = "# perdure compare";
std::string markdown(const Comparison &comparison);

nlohmann::ordered_json to_json(const Comparison &comparison);
/// What to_json wrote. Throws nlohmann::json::exception where it did not.
Comparison from_json(const nlohmann::ordered_json &json);

/// Why the points of `earlier` cannot stand beside those to come, as the rest of a sentence; empty: they can.
std::string why_not_resumed(const Comparison &earlier, const Comparison &now);

}  // namespace perdure::compare
