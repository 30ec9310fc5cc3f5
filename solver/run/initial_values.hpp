// What the fields of a run begin with.
#pragma once

#include <span>
#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Of each field [cells], 0 in cells that are left out; empty: zeros everywhere, which are made where they are needed.
template <typename Real>
std::vector<std::vector<Real>> initial_values(std::span<const Field> fields,
                                              std::span<const ActiveCells> cells, std::size_t count);

/// All into the first, one behind the other; the others become empty. Zeros everywhere stay empty.
template <typename Real>
void join(std::vector<std::vector<Real>> &values, std::size_t count);

}  // namespace perdure
