// Computes the conductances around each cell of a problem.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/active_cells.hpp"
#include "solver/run/conductance.hpp"

namespace perdure {

/// x, y, z
using Cell = std::array<std::int64_t, 3>;

/// Conductances around one cell: to its side where it touches one, to its neighbour elsewhere.
struct CellBalance {
    double diagonal = 0.0;
    double faces = 0.0;
    double size = 0.0;  // of all terms' magnitudes
    std::array<double, 3> lower{};
    std::array<double, 3> upper{};
};

/// The discrete operator cell by cell, in double: kernels/operator.h.
class Assembler {
  public:
    /// `mass`: m of L + m c, of implicit steps.
    Assembler(const Grid &grid, const Field &field, const ActiveCells &cells, double mass = 0.0)
        : grid_(grid),
          field_(field),
          cells_(cells),
          mass_(mass),
          scale_(capacity_scale(field)),
          stride_{1, grid.cells[0], grid.cells[0] * grid.cells[1]} {
        for (int axis = 0; axis < 3; ++axis) {
            wraps_[axis] = is_periodic(field.sides, axis) && grid.cells[axis] > 1;
        }
    }

    [[nodiscard]] bool uniform() const {
        bool uniform =
            field_.a.uniform() && field_.sigma.uniform() && field_.capacity.uniform() && cells_.excluded == 0;
        for (const Samples &component : field_.velocity) {
            uniform = uniform && component.uniform();
        }
        for (const Side &side : field_.sides) {
            uniform = uniform && side.coefficient.uniform();
        }
        return uniform;
    }

    [[nodiscard]] int dimensions() const { return grid_.dimensions; }
    [[nodiscard]] bool active(std::int64_t index) const { return cells_.is_active(index); }

    /// Coefficient that conducts: 0 in excluded cells.
    [[nodiscard]] double a(std::int64_t index) const { return active(index) ? field_.a[index] : 0.0; }

    /// What all terms are multiplied by: 1 / c where c is the same everywhere.
    [[nodiscard]] double scale() const { return scale_; }
    /// What is then left of c.
    [[nodiscard]] double capacity(std::int64_t index) const {
        return field_.capacity.uniform() ? 1.0 : field_.capacity[index];
    }

    [[nodiscard]] bool convective() const { return field_.convective; }
    [[nodiscard]] double weight(std::int64_t index, int axis, int upper) const {
        return field_.convective ? convection_weight(grid_, field_, index, axis, upper) : 1.0;
    }

    [[nodiscard]] bool periodic(int axis) const {
        return axis < grid_.dimensions && is_periodic(field_.sides, axis);
    }

    [[nodiscard]] CellBalance balance(const Cell &cell) const {
        const std::int64_t index = grid_.index(cell[0], cell[1], cell[2]);
        const double here = a(index);
        CellBalance balance;
        double sides = active(index) ? scale_ * field_.sigma[index] + mass_ * capacity(index) : 0.0;
        double faces = 0.0;
        balance.diagonal = sides;
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
            for (const int upper : {0, 1}) {
                const bool beside = at_side(cell, axis, upper);
                const double weight = this->weight(index, axis, upper);
                const double t = to_neighbour(index, here, weight, axis, upper, beside);
                balance.faces += t;
                faces += std::abs(t);
                (upper == 0 ? balance.lower : balance.upper)[axis] = t;
                if (beside) {
                    const double to_side =
                        scale_ * weight *
                        side_conductance(field_.sides[2 * axis + upper], here, grid_.spacing[axis],
                                         side_face(grid_, axis, cell));
                    balance.diagonal += to_side;
                    sides += std::abs(to_side);
                }
            }
        }
        balance.size = sides + faces;
        return balance;
    }

    /// What the lower neighbour along an axis has for its face to `cell`; 0 where there is none.
    [[nodiscard]] double from_below(const Cell &cell, int axis) const {
        Cell below = cell;
        below[axis] = (cell[axis] + grid_.cells[axis] - 1) % grid_.cells[axis];
        const std::int64_t index = grid_.index(below[0], below[1], below[2]);
        const double t =
            to_neighbour(index, a(index), weight(index, axis, 1), axis, 1, at_side(below, axis, 1));
        return t != 0.0 ? t : 0.0;  // no -0
    }

    [[nodiscard]] bool at_side(const Cell &cell, int axis, int upper) const {
        return cell[axis] == (upper != 0 ? grid_.cells[axis] - 1 : 0);
    }

  private:
    /// `beside`: the cell lies at that side.
    [[nodiscard]] double to_neighbour(std::int64_t index, double here, double weight, int axis, int upper,
                                      bool beside) const {
        return scale_ * weight * neighbour_conductance(index, here, axis, upper, beside);
    }
    [[nodiscard]] double neighbour_conductance(std::int64_t index, double here, int axis, int upper,
                                               bool beside) const {
        if (beside && !wraps_[axis]) {
            return 0.0;
        }
        const std::int64_t steps = beside ? 1 - grid_.cells[axis] : 1;
        const double there = a(index + (upper != 0 ? steps : -steps) * stride_[axis]);
        return harmonic(here, there) / (grid_.spacing[axis] * grid_.spacing[axis]);
    }

    const Grid &grid_;
    const Field &field_;
    const ActiveCells &cells_;
    double mass_, scale_;
    std::array<std::int64_t, 3> stride_;
    std::array<bool, 3> wraps_{};
};

/// Faces of a side.
inline std::int64_t face_count(const Grid &grid, int side) {
    return grid.count() / grid.cells[side / 2];
}

/// function(index, cell) of the cells beside the faces [begin, end) of a side.
template <typename Function>
void for_each_beside(const Grid &grid, int side, std::int64_t begin, std::int64_t end, Function function) {
    const int axis = side / 2;
    const int fast = axis == 0 ? 1 : 0;
    const int slow = axis == 2 ? 1 : 2;
    Cell cell{};
    cell[axis] = side % 2 == 0 ? 0 : grid.cells[axis] - 1;
    for (std::int64_t face = begin; face < end; ++face) {
        cell[fast] = face % grid.cells[fast];
        cell[slow] = face / grid.cells[fast];
        function(grid.index(cell[0], cell[1], cell[2]), cell);
    }
}

/// Of all faces, in their order.
template <typename Function>
void for_each_beside(const Grid &grid, int side, Function function) {
    for_each_beside(grid, side, 0, face_count(grid, side), function);
}

/// function(lower, upper, conductance) of the faces that join the two sides of a periodic axis, where the cells on both sides conduct: the
/// cell at the lower side, that at the upper side, and the conductance per volume between them.
template <typename Function>
void for_each_face_across(const Grid &grid, const Field &field, int axis, Function function) {
    const std::int64_t across =
        grid.index(axis == 0 ? grid.cells[0] - 1 : 0, axis == 1 ? grid.cells[1] - 1 : 0,
                   axis == 2 ? grid.cells[2] - 1 : 0);
    const double h = grid.spacing[axis];
    for_each_beside(grid, 2 * axis, [&](std::int64_t lower, const Cell & /*cell*/) {
        const std::int64_t upper = lower + across;
        const double t = harmonic(field.a_along(axis, lower), field.a_along(axis, upper)) / (h * h);
        if (t > 0.0) {
            function(lower, upper, t);
        }
    });
}

}  // namespace perdure
