// Computes the flux -a grad u at the centre of every cell.
#pragma once

#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Mean of the fluxes through the two faces of a cell along each axis, as the discrete problem has them; components x, y, z,
/// the last index. NaN where u is. Of a steady problem; three times as much memory as u.
FieldValues cell_flux(const Grid &grid, const Field &field, const FieldValues &u);

}  // namespace perdure
