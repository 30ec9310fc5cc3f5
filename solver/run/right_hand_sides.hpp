// Right-hand sides of a field, in double.
#pragma once

#include <string>
#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/assembler.hpp"

namespace perdure {

/// Sums of sources and side terms that share a time factor.
struct RightHandSides {
    std::vector<double> values;        // [1 + factors.size()][cells]
    std::vector<std::string> factors;  // of the second row, the third, ...
};

/// Of each cell its source first, then its sides in their order. The first rows, behind that of what is constant, belong to `factors`.
RightHandSides right_hand_sides(const Grid &grid, const Field &field, const Assembler &assembler,
                                const std::vector<std::string> &factors);

/// A domain where nothing fixes the level of u: what rounding left of the balance of each connected part is
/// spread over it.
void balance_parts(const ActiveCells &cells, std::vector<double> &b);

}  // namespace perdure
