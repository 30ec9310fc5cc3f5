#include "solver/reference/excluded_cells.hpp"

#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure::reference {

namespace {

// Cells that the matrix couples to `start`, directly or through others; marks them in `seen`.
std::vector<std::int64_t> walk(const Equations &equations, std::int64_t start, std::vector<bool> &seen) {
    std::vector<std::int64_t> reached{start};
    seen[start] = true;
    for (std::size_t next = 0; next < reached.size(); ++next) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(equations.matrix, reached[next]); it; ++it) {
            if (!seen[it.row()]) {
                seen[it.row()] = true;
                reached.push_back(it.row());
            }
        }
    }
    return reached;
}

// True when the case names something that could anchor a cell, even if only solid cells touch it.
bool anchors_are_given(const Grid &grid, const Field &field) {
    for (std::int64_t cell = 0; cell < grid.count(); ++cell) {
        if (field.sigma[cell] > 0.0) {
            return true;
        }
    }
    for (const Side &side : field.sides) {
        if (fixes_level(side)) {
            return true;
        }
    }
    return false;
}

}  // namespace

Unknowns find_unknowns(const Grid &grid, const Field &field, const Equations &equations) {
    const bool given = anchors_are_given(grid, field);
    const auto cells = static_cast<std::size_t>(grid.count());
    Unknowns result;
    result.keep.assign(cells, false);
    std::vector<bool> seen(cells, false);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const auto index = static_cast<std::int64_t>(cell);
        const bool starts = given ? equations.anchor[index] > 0.0 : field.a[index] > 0.0;
        if (!starts || seen[cell]) {
            continue;
        }
        std::vector<std::int64_t> part = walk(equations, index, seen);
        for (const std::int64_t member : part) {
            result.keep[member] = true;
        }
        if (!given) {
            result.floating.push_back(std::move(part));
        }
    }
    return result;
}

std::vector<bool> find_evolving_cells(const Grid &grid, const Field &field) {
    std::vector<bool> evolving(static_cast<std::size_t>(grid.count()));
    for (std::size_t cell = 0; cell < evolving.size(); ++cell) {
        const auto index = static_cast<std::int64_t>(cell);
        evolving[cell] = !(field.a[index] == 0.0 && field.sigma[index] == 0.0);
    }
    return evolving;
}

}  // namespace perdure::reference
