// The two tables of a point, as cells of text.
#pragma once

#include <string>
#include <vector>

#include "solver/measure/compare/compare.hpp"

namespace perdure::compare {

/// What a member has to say under a head; a row for each member that was measured.
struct Table {
    std::vector<std::string> heads;
    std::vector<std::vector<std::string>> rows;
};

/// How fast: times, throughput, speed-up.
Table speed_table(const Comparison &comparison, const Point &point);
/// What an iteration consists of: launches, barriers, host waits, cost of a check, where its time goes.
Table parts_table(const Point &point);

/// Four digits that count, or as many as stand before the point.
std::string figure(double value);

}  // namespace perdure::compare
