// A field u on a grid as potentials of a network: a node for each cell, an edge with a conductance for each face.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/conductance.hpp"

namespace perdure {

/// Conductances between two cells, looked up by their materials where the field is of an image of few.
class Conductances {
  public:
    Conductances(const Grid &grid, const Field &field);

    [[nodiscard]] double between(int axis, std::int64_t cell, std::int64_t other) const {
        if (labels_ != nullptr) {
            return tables_[axis][labels_[cell] * materials_ + labels_[other]];
        }
        return computed(axis, field_.a_along(axis, cell), field_.a_along(axis, other));
    }
    /// Its exponent; no_rank of 0.
    [[nodiscard]] std::int16_t rank_between(int axis, std::int64_t cell, std::int64_t other) const {
        return labels_ != nullptr ? ranks_[axis][labels_[cell] * materials_ + labels_[other]]
                                  : rank_of(between(axis, cell, other));
    }

    static constexpr std::int16_t no_rank = std::numeric_limits<std::int16_t>::min();
    static std::int16_t rank_of(double conductance) {
        return conductance > 0.0 ? static_cast<std::int16_t>(std::ilogb(conductance)) : no_rank;
    }

  private:
    [[nodiscard]] double computed(int axis, double a, double other) const {
        const double h = grid_.spacing[axis];
        return harmonic(a, other) / (h * h);
    }

    const Grid &grid_;
    const Field &field_;
    const std::uint8_t *labels_ = nullptr;  // null: each face is computed
    std::size_t materials_ = 0;
    std::array<std::vector<double>, 3> tables_;  // of two materials
    std::array<std::vector<std::int16_t>, 3> ranks_;
};

/// Faces of a cell are numbered as sides are: 2 axis, + 1 towards larger coordinates.
class FlowNetwork {
  public:
    static constexpr std::int64_t no_cell = -1;

    /// `axis`: along which u falls. u: NaN in excluded cells.
    FlowNetwork(const Grid &grid, const Field &field, int axis, const FieldValues &u);
    FlowNetwork(const FlowNetwork &) = delete;
    FlowNetwork &operator=(const FlowNetwork &) = delete;

    [[nodiscard]] double u(std::int64_t cell) const { return u_[static_cast<std::size_t>(cell)]; }
    [[nodiscard]] bool counts(std::int64_t cell) const { return !std::isnan(u(cell)); }

    [[nodiscard]] bool leads_to_side(std::int64_t cell, int face) const {
        return face / 2 == axis_ && !is_periodic_cell() && at_border(cell, face);
    }

    /// 1: what flows out of the cell through this face has passed the lower side of the axis downwards; -1: upwards. Else 0.
    [[nodiscard]] int passes_lower_side(std::int64_t cell, int face) const {
        if (face / 2 != axis_ || !at_border(cell, face)) {
            return 0;
        }
        return face % 2 == 0 ? 1 : (is_periodic_cell() ? -1 : 0);
    }

    /// The cell beyond a face, or no_cell: a side is there.
    [[nodiscard]] std::int64_t beyond(std::int64_t cell, int face) const {
        const int axis = face / 2;
        const std::int64_t stride = strides_[axis];
        const std::int64_t step = face % 2 == 0 ? -stride : stride;
        if (!at_border(cell, face)) {
            return cell + step;
        }
        const std::int64_t n = grid_.cells[axis];
        const bool has_face = n > 1 || (axis == axis_ && is_periodic_cell());
        return is_periodic(field_.sides, axis) && has_face ? cell - (n - 1) * step : no_cell;
    }

    /// Of a face to another cell or, where `leads_to_side`, to a side.
    [[nodiscard]] double conductance(std::int64_t cell, int face, std::int64_t other) const {
        return other == no_cell ? side_conductance(field_.sides[face], field_.a_along(face / 2, cell),
                                                   grid_.spacing[face / 2], 0)
                                : conductances_.between(face / 2, cell, other);
    }

    [[nodiscard]] const Conductances &between_cells() const { return conductances_; }
    /// No face of the cell is one of the grid.
    [[nodiscard]] bool is_inside(std::int64_t cell) const {
        return borders_[static_cast<std::size_t>(cell)] == 0;
    }
    /// Calls `visit(face, other)` for each face of a cell that is inside.
    template <typename Visit>
    void for_each_inner_face(std::int64_t cell, const Visit &visit) const {
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
            visit(2 * axis, cell - strides_[axis]);
            visit(2 * axis + 1, cell + strides_[axis]);
        }
    }

    /// Of u across a face, to the far side.
    [[nodiscard]] double fall(std::int64_t cell, int face, std::int64_t other) const {
        if (other == no_cell) {
            return u(cell) - face_condition(field_.sides[face], 0).level;
        }
        return u(cell) - u(other) - (at_border(cell, face) ? field_.jump_beyond(face) : 0.0);
    }

    /// Nothing holds u: it falls from one period to the next.
    [[nodiscard]] bool is_periodic_cell() const { return field_.falls_along == axis_; }

    [[nodiscard]] int faces() const { return 2 * grid_.dimensions; }
    [[nodiscard]] std::int64_t cells() const { return grid_.count(); }

  private:
    [[nodiscard]] bool at_border(std::int64_t cell, int face) const {
        return (borders_[static_cast<std::size_t>(cell)] >> face & 1U) != 0;
    }

    const Grid &grid_;
    const Field &field_;
    int axis_;
    std::vector<double> converted_;  // of float32
    std::span<const double> u_;
    std::vector<std::uint8_t> borders_;  // a bit for each face of each cell: whether it is one of the grid
    std::array<std::int64_t, 3> strides_{1, grid_.cells[0], grid_.cells[0] * grid_.cells[1]};
    Conductances conductances_;
};

}  // namespace perdure
