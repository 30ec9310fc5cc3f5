// Values that a cell's formulas need and those of the next cell along an axis need again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/systems/graph.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {

/// What `ahead` is in one cell, `value` is in the next cell along the axis. Places in a graph.
struct ReusedValue {
    int value;
    int ahead;
};

/// The values that the next cell along the axis (0: x, 1: y, 2: z) does not compute or load again, where registers for them
/// are worth it. None where they would need more registers than there are for them. A term's counterpart ahead has the same operations in the same order, of cells that lie one further, and so
/// the same bits.
std::vector<ReusedValue> reused_values(const Graph &graph, const std::vector<int> &roots, int axis,
                                       std::int64_t bytes_of_value);

/// Statements as those of print_rates(), for kernels that go through cells along an axis:
///   first   computes the values of the first cell, each then handed over by VALUE_TO_REUSE(0, r7);
///   rates   const real_t r7 = VALUE_REUSED(0);  then all else that the rates and the next cell need, VALUE_RATE(0, r9); and
///           VALUE_TO_REUSE(0, r12); with what r7 will be in the next cell
struct ReusingText {
    std::size_t values = 0;  // 0: none is worth it, and there is no text
    std::string first, rates;
};
ReusingText print_reusing_rates(const System &system, int axis, std::int64_t bytes_of_value);

}  // namespace perdure::systems
