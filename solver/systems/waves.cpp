#include <array>

#include "solver/systems/lowering.hpp"

namespace perdure::systems {

/// Of the cell that is computed alone: formulas of its neighbours are those of other cells.
void Lowering::add_wave(const Shift &shift, const std::array<int, 3> &speeds) {
    if (shift != Shift{}) {
        return;
    }
    int sum = -1;
    for (int axis = 0; axis < dimensions_; ++axis) {
        const int crossed = builder_.scaled(builder_.apply(Operation::ABSOLUTE, speeds[axis]),
                                            spacing(axis, SpacingFactor::inverse));
        sum = sum < 0 ? crossed : builder_.add(sum, crossed);
    }
    waves_.push_back(sum);
}

int Lowering::fastest_wave() {
    int fastest = -1;
    for (const int wave : waves_) {
        fastest = fastest < 0 || fastest == wave ? wave : builder_.apply(Operation::MAXIMUM, fastest, wave);
    }
    return fastest;
}

}  // namespace perdure::systems
