// Finds the cells that take part in the solution.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/problem/large_vector.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Cells left out are solid (a = sigma = 0) or, in a steady problem, cut off: their connected part touches no
/// side that fixes the level of u and no cell with sigma > 0.
struct ActiveCells {
    LargeVector<std::uint8_t> active;  // per cell: 1 or 0; empty: all are active
    bool pinned = false;               // steady, and nothing fixes the level of u: the mean is pinned
    std::vector<std::int32_t>
        part;  // per cell, only when pinned: its connected part, -1 where excluded; empty: all are in part 0
    std::int32_t parts = 0;     // number of connected parts, only when pinned
    std::int64_t excluded = 0;  // cells left out

    [[nodiscard]] bool is_active(std::int64_t cell) const { return active.empty() || active[cell] != 0; }
    /// When pinned: -1 where excluded.
    [[nodiscard]] std::int32_t part_of(std::int64_t cell) const { return part.empty() ? 0 : part[cell]; }
};

/// Needs a, sigma and the sides of the field. By all cores; where cells are left out it needs one byte a cell and 16 a run of cells
/// along x.
ActiveCells find_active_cells(const Grid &grid, const Field &field);

/// As make_problem(config). `cells`: those of each field, in the order of the fields; of an effective case none, percolation finds them.
/// `initial_cells`: those whose initial values are needed, where a case without formulas of rates gives them by an expression; none: all.
Problem make_problem(const Config &config, std::vector<ActiveCells> &cells,
                     std::vector<CellRange> initial_cells = {});

/// Those of each field, in the order of the fields.
std::vector<ActiveCells> find_active_cells(const Problem &problem);

/// Number of the grid's cells that are left out of every field.
std::int64_t count_excluded(const std::vector<ActiveCells> &of_fields);

}  // namespace perdure
