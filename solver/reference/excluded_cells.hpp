// Which cells the equations determine, found by walking the graph of the matrix.
#pragma once

#include <vector>

#include "solver/reference/assemble.hpp"

namespace perdure::reference {

/// Cells to solve for, and how the singular ones hang together.
struct Unknowns {
    std::vector<bool> keep;                           // per cell
    std::vector<std::vector<std::int64_t>> floating;  // connected parts of kept cells that nothing anchors
};

/// Steady: cells connected to an anchor; where no cell of the whole domain could be anchored, every cell with
/// a > 0 is kept, as floating parts. `equations` are those of all cells.
Unknowns find_unknowns(const Grid &grid, const Field &field, const Equations &equations);

/// In time: all cells but those with a = sigma = 0.
std::vector<bool> find_evolving_cells(const Grid &grid, const Field &field);

}  // namespace perdure::reference
