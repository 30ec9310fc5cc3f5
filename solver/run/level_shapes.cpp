#include "solver/run/level_shapes.hpp"

#include <algorithm>
#include <limits>

namespace perdure {
namespace {

/// Spacings within this factor of the smallest are halved together: afterwards they differ by no more again.
constexpr double most_anisotropy = 1.42;
/// Axes to halve; none when there is nothing left to halve.
Extents axes_to_halve(const Extents &n, const std::array<double, 3> &spacing) {
    double smallest = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] > 1) {
            smallest = std::min(smallest, spacing[axis]);
        }
    }
    Extents halved{};
    for (int axis = 0; axis < 3; ++axis) {
        halved[axis] = n[axis] > 1 && spacing[axis] <= most_anisotropy * smallest ? 1 : 0;
    }
    return halved;
}

}  // namespace

Extents extents_of(const FinestLevel &finest) {
    Extents n{};
    for (int axis = 0; axis < 3; ++axis) {
        n[axis] = static_cast<std::uint32_t>(finest.cells[axis]);
    }
    return n;
}

std::uint64_t face_cells(const Extents &n, int axis) {
    return std::uint64_t{product(n)} / n[axis];
}

std::vector<LevelShape> level_shapes(const FinestLevel &finest) {
    std::vector<LevelShape> shapes;
    LevelShape shape{{}, {}, finest.uniform};
    shape.cells = extents_of(finest);
    std::array<double, 3> spacing = finest.spacing;
    for (std::uint32_t number = 0; number < MOST_LEVELS; ++number) {
        Extents &n = shape.cells;
        shape.halved = axes_to_halve(n, spacing);
        const bool last = product(n) <= COARSEST_CELLS ||
                          product({shape.halved[0] + 1, shape.halved[1] + 1, shape.halved[2] + 1}) == 1;
        shapes.push_back(shape);
        if (last) {
            break;
        }
        for (int axis = 0; axis < 3; ++axis) {
            shape.alike = shape.alike && (shape.halved[axis] == 0 || n[axis] % 2 == 0);
            n[axis] = shape.halved[axis] != 0 ? (n[axis] + 1) / 2 : n[axis];
            spacing[axis] *= shape.halved[axis] != 0 ? 2.0 : 1.0;
        }
    }
    return shapes;
}

}  // namespace perdure
