// Eigenvectors and eigenvalues of a uniform level along one axis, for kernels/multigrid/transform.h.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common.h"

namespace perdure {

/// T along an axis: `face` conducts between neighbouring cells, `lower` and `upper` between the end cells and the sides.
/// Units of the operator. 0 <= lower, upper <= 2 face, as half a cell's way to a side makes them.
struct AxisOperator {
    std::uint32_t cells = 1;
    bool periodic = false;
    double face = 0.0;  // any value where there is one cell
    double lower = 0.0;
    double upper = 0.0;

    bool operator==(const AxisOperator &) const = default;
};

/// T vectors[:, k] = values[k] vectors[:, k], vectors orthonormal.
struct Modes {
    std::vector<double> values;  // [cells], not decreasing unless periodic
    std::vector<wave_t> waves;   // [cells]: what kernels/multigrid/modes.h makes the vectors of
};

/// Of the mode of angle theta:  2 face (1 - cos theta).
double eigenvalue(double face, double theta);

/// In closed form but for one angle a mode, found to the last digit where sides need that:  T's vectors are
/// cos((i + 1/2) theta - phi),  its values  2 face (1 - cos theta)  (Strang, The Discrete Cosine Transform, SIAM Review 41,
/// 1999, for the sides whose angles are known).
Modes modes_of(const AxisOperator &axis);

}  // namespace perdure
