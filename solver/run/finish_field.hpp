// Post-processes the fields of a solution on the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/output/solution.hpp"
#include "solver/problem/active_cells.hpp"

namespace perdure {

/// Puts NaN in excluded cells; where only differences of u are determined, each part's mean becomes that of the initial field.
/// `u`: the answer of `field`, one value a cell.
template <typename Real>
void finish_field(const Field &field, const ActiveCells &cells, LargeVector<Real> &u);

/// Name of the first field whose value in `cell` is not finite; empty where the solution has one field.
std::string field_not_finite(const Solution &solution, std::int64_t cell);

/// Of the value that is largest in magnitude, or of the first that is not finite.
struct LargestValue {
    double value = 0.0;
    std::int64_t cell = 0;
    std::string field;
};
LargestValue largest_value(const Solution &solution);

extern template void finish_field(const Field &, const ActiveCells &, LargeVector<float> &);
extern template void finish_field(const Field &, const ActiveCells &, LargeVector<double> &);

}  // namespace perdure
