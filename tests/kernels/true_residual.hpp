// ||b - A u|| by the reference's matrix.
#pragma once

#include "solver/output/solution.hpp"

namespace perdure::tests {

struct Norms {
    double l2 = 0.0;
    double max = 0.0;
    [[nodiscard]] double of(Norm norm) const { return norm == Norm::max ? max : l2; }
};

/// Norms of b - A u. All cells must take part.
Norms residual_norms(const Problem &problem, const FieldValues &u);

/// Norms of b.
Norms right_hand_side_norms(const Problem &problem);

}  // namespace perdure::tests
