// How much memory an iteration must move: the numbers that the headers of the kernels state.
#pragma once

namespace perdure {

/// What of a problem decides what must move.
struct ProblemTraits {
    int dimensions = 3;
    int factors = 0;          // right-hand sides that are scaled in time (heat)
    bool variable = false;    // coefficients vary from cell to cell
    bool convective = false;  // a face looks different from its two sides
    bool mixed = false;       // cycles in float32
    bool usual_cycle =
        true;              // of multigrid: V, two sweeps of Chebyshev, no level but the first solved directly
    int direct_steps = 0;  // transforms and products that solve level 0
    bool from_zero = true;   // the iteration starts from u = 0
    bool by_labels = false;  // coefficients come by labels (kernels/labels.h)

    [[nodiscard]] int conductances() const { return (convective ? 2 : 1) * dimensions; }
    /// Diagonal, its inverse and conductances, where they are fields.
    [[nodiscard]] int operator_with_inverse() const { return variable ? 2 + conductances() : 0; }
};

/// Values of real_t per cell; zeros where the headers count nothing.
struct ValuesMoved {
    int per_iteration = 0;  // read and written
    int touched = 0;        // fields that those belong to: one read and written counts once
};

}  // namespace perdure
