// Where the wall time went, as text and for files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/time_spent.hpp"

namespace perdure {

/// The wall time and its parts, in s, without those that are negligible.
std::string to_text(const TimeSpent &spent);

/// The same as entries of a report: "read_seconds", ..., "total_seconds"; of background threads "write_background_seconds".
std::vector<std::pair<std::string, double>> named_seconds(const TimeSpent &spent);

}  // namespace perdure
