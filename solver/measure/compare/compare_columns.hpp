// The two tables of a point: a row for each result that was measured.
#pragma once

#include <string>

#include "solver/measure/compare/compare.hpp"
#include "solver/output/text_table.hpp"

namespace perdure::compare {

/// How fast: times, throughput, speed-up.
TextTable speed_table(const Comparison &comparison, const Point &point);
/// What an iteration consists of: launches, barriers, host waits, cost of a check, where its time goes.
TextTable parts_table(const Point &point);

/// Four digits that count, or as many as stand before the point.
std::string figure(double value);

}  // namespace perdure::compare
