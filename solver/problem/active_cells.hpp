// Which cells take part in the solution.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/problem/problem.hpp"

namespace perdure {

/// Cells left out are solid (a = sigma = 0) or, in a steady problem, cut off: their connected part touches no
/// side that fixes the level of u and no cell with sigma > 0.
struct ActiveCells {
    std::vector<std::uint8_t> active;  // per cell: 1 or 0
    bool pinned = false;               // steady, and nothing fixes the level of u: the mean is pinned
    std::vector<std::int32_t> part;    // per cell, only when pinned: its connected part, -1 where excluded
    std::int32_t parts = 0;            // number of connected parts, only when pinned
    std::int64_t excluded = 0;         // cells left out
};

/// Needs a, sigma and the sides of the field. About one second and 1.5 bytes per cell for 500^3 voxels of an
/// image.
ActiveCells find_active_cells(const Grid &grid, const Field &field);

/// Those of each field, in the order of the fields.
std::vector<ActiveCells> find_active_cells(const Problem &problem);

/// Number of cells that are left out of every field.
std::int64_t count_excluded(const std::vector<ActiveCells> &of_fields);

}  // namespace perdure
