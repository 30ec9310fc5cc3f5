// Arrays on the cells of a grid and a halo around them, and differences of neighbours.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "solver/problem/problem.hpp"

namespace perdure::reference {

using CellNumbers = Eigen::Array<std::int64_t, Eigen::Dynamic, 1>;

/// A grid with `halo` cells beyond each side, none along z in 2D. Values stand x fastest, as those of the grid. What lies beyond all that
/// is known is NaN, which no cell of the grid may meet.
class ExtendedGrid {
  public:
    ExtendedGrid(const Grid &grid, int halo, const std::array<bool, 3> &periodic);

    [[nodiscard]] int dimensions() const { return grid_.axes(); }
    [[nodiscard]] Eigen::Index count() const { return count_; }
    [[nodiscard]] double spacing(int axis) const { return grid_.spacing[axis]; }
    [[nodiscard]] bool periodic(int axis) const { return periodic_[axis]; }
    [[nodiscard]] Eigen::Index halo(int axis) const { return halo_[axis]; }
    [[nodiscard]] Eigen::Index cells(int axis) const { return grid_.cells[axis]; }  // without the halo

    /// x, y or z of the centres; beyond a periodic side those of the cell that it repeats.
    [[nodiscard]] Eigen::ArrayXd coordinates(int axis) const;
    /// Where a side's faces are: side 0 to 5 is x-, x+, y-, y+, z-, z+.
    [[nodiscard]] double face(int side) const;
    /// The cell of the grid that each continues: itself, beyond a periodic side the cell that it repeats, beyond another its mirror
    /// image (-1 where the grid has too few cells).
    [[nodiscard]] CellNumbers cell_numbers() const;

    /// From values of cells to an array with NaN in the halo, and back.
    [[nodiscard]] Eigen::ArrayXd insert(const Eigen::ArrayXd &cells) const;
    [[nodiscard]] Eigen::ArrayXd extract(const Eigen::ArrayXd &values) const;

    /// The values of the cells with those numbers: continues what is given in cells alone.
    [[nodiscard]] static Eigen::ArrayXd take(const std::vector<double> &cells, const CellNumbers &numbers);

    /// The values of the neighbour one cell up (+1) or down (-1) along the axis.
    [[nodiscard]] Eigen::ArrayXd neighbour(const Eigen::ArrayXd &values, int axis, int direction) const;

    /// All cells in layer `i` across the axis, counted from the outermost of the halo, as a matrix that can be assigned to.
    template <typename Array>
    auto layer(Array &values, int axis, Eigen::Index i) const {
        return lines(values, axis).middleRows(i * stride_[axis], stride_[axis]);
    }

  private:
    // Each column holds all cells between two steps of the slower axes: layers across the axis are groups of its rows.
    template <typename Array>
    auto lines(Array &values, int axis) const {
        using Matrix = Eigen::Array<typename Array::Scalar, Eigen::Dynamic, Eigen::Dynamic>;
        using Kept = std::conditional_t<std::is_const_v<Array>, const Matrix, Matrix>;
        const Eigen::Index rows = stride_[axis] * (cells(axis) + 2 * halo_[axis]);
        return Eigen::Map<Kept>(values.data(), rows, count_ / rows);
    }

    Grid grid_;
    std::array<bool, 3> periodic_;
    std::array<Eigen::Index, 3> halo_{}, stride_{};
    Eigen::Index count_ = 0;
    std::vector<Eigen::Index> inside_;  // where the cells of the grid are
};

/// (E(+1) - E(-1)) / 2h along the axis.
Eigen::ArrayXd central_difference(const ExtendedGrid &grid, const Eigen::ArrayXd &values, int axis);

/// (E(+1) - 2 E + E(-1)) / h^2 along the axis.
Eigen::ArrayXd second_difference(const ExtendedGrid &grid, const Eigen::ArrayXd &values, int axis);

/// a grad E . n at the upper (direction 1) or lower (-1) faces of the cells across the axis, n pointing out of the cell: T (E(beyond) - E) / h,
/// T = 2 a a' / (a + a') of the two cells at the face, 0 where a + a' = 0: the series connection of two half cells (Patankar, Numerical
/// Heat Transfer and Fluid Flow, 1980, section 4.2-3).
Eigen::ArrayXd out_through_face(const ExtendedGrid &grid, const Eigen::ArrayXd &a,
                                const Eigen::ArrayXd &values, int axis, int direction);

/// The sum of these over all faces of a cell, per volume.
Eigen::ArrayXd divergence_of_gradient(const ExtendedGrid &grid, const Eigen::ArrayXd &a,
                                      const Eigen::ArrayXd &values);

/// Sum over axes of v (u - u(-1)) / h where v > 0, else v (u(+1) - u) / h (Courant, Isaacson and Rees 1952).
Eigen::ArrayXd upwind_difference(const ExtendedGrid &grid, const std::vector<Eigen::ArrayXd> &velocity,
                                 const Eigen::ArrayXd &values);

/// At the upper (direction 1) or lower (-1) faces of the cells across the axis: values there with the smaller of the two one-sided
/// slopes, none where they have opposite signs (minmod; LeVeque, Finite Volume Methods for Hyperbolic Problems, section 6.9).
Eigen::ArrayXd limited_values(const ExtendedGrid &grid, const Eigen::ArrayXd &values, int axis,
                              int direction);

/// What a cell has at one of its faces: the flux f across it, the conserved quantity q, the speeds of the slowest and the fastest wave.
struct FaceStates {
    Eigen::ArrayXd flux, conserved, slowest, fastest;
};

/// (F(-1/2) - F(1/2)) / h along the axis, F from what both cells at a face have there, `upper` and `lower` being each cell's own faces.
/// two_speeds: F = (s+ f(l) - s- f(r) + s+ s- (q(r) - q(l))) / (s+ - s-) with s+ = max(0, fastest(l), fastest(r)), s- = min(0, slowest(l),
/// slowest(r)), and the mean of f where both are 0 (Harten, Lax, van Leer 1983; Davis 1988). Else
/// F = (f(l) + f(r)) / 2 - max(fastest(l), fastest(r)) / 2 (q(r) - q(l)) (Rusanov 1961; LeVeque, section 12.5).
Eigen::ArrayXd conservative_rate(const ExtendedGrid &grid, const FaceStates &lower, const FaceStates &upper,
                                 bool two_speeds, int axis);

/// Numbers in [0, 1), the same for equal seed and cell: the upper 53 bits of the SplitMix64 finaliser of
/// seed * 0x9E3779B97F4A7C15 + cell (Steele, Lea and Flood, OOPSLA 2014).
Eigen::ArrayXd random_numbers(std::uint64_t seed, const CellNumbers &cells);

/// Normal numbers of mean 0 and variance 1: the upper 52 bits of Philox4x32-10 (Salmon, Moraes, Dror and Shaw, SC 2011) of the counter (cell,
/// step, 0, 0) and the key (seed, 0) as the middle of an interval of probability, and the number that so many are smaller than.
Eigen::ArrayXd normal_numbers(std::uint32_t seed, std::uint32_t step, const CellNumbers &cells);

}  // namespace perdure::reference
