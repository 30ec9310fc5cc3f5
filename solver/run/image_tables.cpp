#include "solver/run/image_tables.hpp"

#include "kernels/image_question.h"
#include "kernels/labels.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/run/conductance.hpp"

namespace perdure {
namespace {

/// Sums of the conductances of one kind of cell.
template <typename Real>
class SumsOfKind {
  public:
    SumsOfKind(const Grid &grid, const std::array<Side, 6> &sides, const LabelCoefficients &coefficients)
        : grid_(grid), sides_(sides), coefficients_(coefficients) {}

    /// `at`: 0 at no side, 1 at the lower, 2 at the upper one, along each axis; labels of the cell and its neighbours.
    [[nodiscard]] Real inverse(const std::array<std::uint32_t, 3> &at,
                               const std::array<std::uint32_t, STENCIL_POINTS> &labels) const {
        const std::uint32_t here = labels[CENTRE];
        if (here == 0) {
            return Real(0);
        }
        double faces = 0.0;
        double to_sides = 0.0;
        for (int side = 0; side < 2 * grid_.dimensions; ++side) {
            const int axis = side / 2;
            const bool is_alone = grid_.cells[axis] == 1;
            const bool at_side = is_alone || (at[axis] >> (side % 2) & 1U) != 0;
            const std::uint32_t there = labels[static_cast<std::size_t>(WEST + side)];
            const double h = grid_.spacing[axis], a = coefficients_[here - 1][axis];
            if (there != 0 && !is_alone && (!at_side || is_periodic(sides_, axis))) {
                faces += static_cast<double>(
                    static_cast<Real>(harmonic(a, coefficients_[there - 1][axis]) / (h * h)));
            }
            if (at_side) {
                to_sides += static_cast<double>(static_cast<Real>(side_conductance(sides_[side], a, h, 0)));
            }
        }
        const double whole = to_sides + faces;
        return whole > 0.0 ? static_cast<Real>(1.0 / whole) : Real(0);
    }

  private:
    const Grid &grid_;
    const std::array<Side, 6> &sides_;
    const LabelCoefficients &coefficients_;
};

}  // namespace

template <typename Real>
LargeVector<Real> image_table(const Grid &grid, const Field &field) {
    const std::vector<Material> &materials = field.image.materials;
    const auto count = static_cast<std::uint32_t>(materials.size());
    LargeVector<Real> table(IMAGE_TABLE_ENTRIES(count), Real(0));
    for (std::uint32_t axis = 0; axis < static_cast<std::uint32_t>(grid.dimensions); ++axis) {
        const double h = grid.spacing[axis];
        for (std::uint32_t m = 0; m < count; ++m) {
            const double a = materials[m].along(static_cast<int>(axis));
            for (std::uint32_t n = 0; n < count; ++n) {
                table[PAIR_PLACE(count, axis, m, n)] =
                    static_cast<Real>(harmonic(a, materials[n].along(static_cast<int>(axis))) / (h * h));
            }
            for (std::uint32_t side = 2 * axis; side < 2 * axis + 2; ++side) {
                table[SIDE_PLACE(count, side, m)] =
                    static_cast<Real>(side_conductance(field.sides[side], a, h, 0));
            }
        }
    }
    return table;
}

template <typename Real>
LargeVector<Real> b_table(const Grid &grid, const std::array<Side, 6> &sides,
                          const LabelCoefficients &coefficients, std::uint32_t held) {
    const auto count = static_cast<std::uint32_t>(coefficients.size() + 1);
    LargeVector<Real> table(std::size_t{PLACES} * count, Real(0));
    for (std::uint32_t position = 0; position < PLACES; ++position) {
        for (std::uint32_t l = 1; l < count && (position >> held & 1U) != 0; ++l) {
            table[position * count + l] = static_cast<Real>(
                side_conductance(sides[held], coefficients[l - 1][held / 2], grid.spacing[held / 2], 0));
        }
    }
    return table;
}

template <typename Real>
LargeVector<Real> inverse_table(const Grid &grid, const std::array<Side, 6> &sides,
                                const LabelCoefficients &coefficients) {
    const auto count = static_cast<std::uint32_t>(coefficients.size() + 1);
    std::uint32_t neighbourhoods = 1;
    for (int point = 0; point < STENCIL_POINTS; ++point) {
        neighbourhoods *= count;
    }
    LargeVector<Real> table(std::size_t{neighbourhoods} * KIND_POSITIONS, Real(0));
    const SumsOfKind<Real> sums(grid, sides, coefficients);
    for (std::uint32_t number = 0; number < neighbourhoods; ++number) {
        std::array<std::uint32_t, STENCIL_POINTS> labels{};
        std::uint32_t left = number;
        for (std::size_t point = STENCIL_POINTS; point-- > 0; left /= count) {
            labels[point] = left % count;
        }
        for (std::uint32_t position = 0; position < KIND_POSITIONS; ++position) {
            table[kind_of_diagonal(position, labels.data(), count)] =
                sums.inverse({position % 3, position / 3 % 3, position / 9}, labels);
        }
    }
    return table;
}

template LargeVector<float> image_table(const Grid &, const Field &);
template LargeVector<double> image_table(const Grid &, const Field &);
template LargeVector<float> b_table(const Grid &, const std::array<Side, 6> &, const LabelCoefficients &,
                                    std::uint32_t);
template LargeVector<double> b_table(const Grid &, const std::array<Side, 6> &, const LabelCoefficients &,
                                     std::uint32_t);
template LargeVector<float> inverse_table(const Grid &, const std::array<Side, 6> &,
                                          const LabelCoefficients &);
template LargeVector<double> inverse_table(const Grid &, const std::array<Side, 6> &,
                                           const LabelCoefficients &);

}  // namespace perdure
