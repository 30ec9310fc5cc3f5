// Cells of a network and their neighbours.
#pragma once

#include <array>
#include <cstdint>

#include "solver/problem/problem.hpp"

namespace perdure::reference {

using Cell = std::array<std::int64_t, 3>;

template <class Visit>
void for_each_cell(const Grid &grid, Visit visit) {
    for (std::int64_t z = 0; z < grid.cells[2]; ++z) {
        for (std::int64_t y = 0; y < grid.cells[1]; ++y) {
            for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
                visit(Cell{x, y, z}, grid.index(x, y, z));
            }
        }
    }
}

inline std::int64_t moved(const Grid &grid, Cell cell, int axis, std::int64_t to) {
    cell[axis] = to;
    return grid.index(cell[0], cell[1], cell[2]);
}

inline std::int64_t above(const Grid &grid, const Cell &cell, int axis) {
    return moved(grid, cell, axis, (cell[axis] + 1) % grid.cells[axis]);
}

}  // namespace perdure::reference
