#include "solver/reference/extended_grid.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace perdure::reference {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::int64_t wrap(std::int64_t i, std::int64_t n) {
    return (i % n + n) % n;
}

// The cell beyond a side takes from the one as far inside; -1: there is none.
std::int64_t mirror(std::int64_t i, std::int64_t n) {
    const std::int64_t inside = i < 0 ? -1 - i : (i < n ? i : 2 * n - 1 - i);
    return inside < n ? inside : -1;
}

Eigen::ArrayXd harmonic_mean(const Eigen::ArrayXd &a, const Eigen::ArrayXd &b) {
    const Eigen::ArrayXd sum = a + b;
    return (sum == 0.0).select(0.0, 2.0 * a * b / sum);
}

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
    const auto high_and_low = [](std::uint64_t a, std::uint32_t b) {
        const std::uint64_t product = a * b;
        return std::pair{static_cast<std::uint32_t>(product >> 32U), static_cast<std::uint32_t>(product)};
    };
    for (int round = 0; round < 10; ++round) {
        const auto [high_0, low_0] = high_and_low(0xD2511F53U, c[0]);
        const auto [high_1, low_1] = high_and_low(0xCD9E8D57U, c[2]);
        c = {high_1 ^ c[1] ^ key[0], low_1, high_0 ^ c[3] ^ key[1], low_0};
        key = {key[0] + 0x9E3779B9U, key[1] + 0xBB67AE85U};
    }
    return c;
}

}  // namespace

ExtendedGrid::ExtendedGrid(const Grid &grid, int halo, const std::array<bool, 3> &periodic)
    : grid_(grid), periodic_(periodic) {
    Eigen::Index count = 1;
    for (int axis = 0; axis < 3; ++axis) {
        halo_[axis] = axis < grid.axes() ? halo : 0;
        stride_[axis] = count;
        count *= cells(axis) + 2 * halo_[axis];
    }
    count_ = count;
    for (Eigen::Index z = 0; z < cells(2); ++z) {
        for (Eigen::Index y = 0; y < cells(1); ++y) {
            for (Eigen::Index x = 0; x < cells(0); ++x) {
                inside_.push_back(x + halo_[0] + stride_[1] * (y + halo_[1]) + stride_[2] * (z + halo_[2]));
            }
        }
    }
}

Eigen::ArrayXd ExtendedGrid::coordinates(int axis) const {
    Eigen::ArrayXd values(count_);
    for (Eigen::Index i = 0; i < cells(axis) + 2 * halo_[axis]; ++i) {
        const std::int64_t cell = i - halo_[axis];
        layer(values, axis, i) = grid_.centre(axis, periodic_[axis] ? wrap(cell, cells(axis)) : cell);
    }
    return values;
}

double ExtendedGrid::face(int side) const {
    const int axis = side / 2;
    return grid_.origin[axis] + (side % 2 == 0 ? 0.0 : static_cast<double>(cells(axis))) * spacing(axis);
}

CellNumbers ExtendedGrid::cell_numbers() const {
    CellNumbers numbers = CellNumbers::Zero(count_);
    for (int axis = 2; axis >= 0; --axis) {
        for (Eigen::Index i = 0; i < cells(axis) + 2 * halo_[axis]; ++i) {
            const std::int64_t beyond = i - halo_[axis];
            const std::int64_t cell =
                periodic_[axis] ? wrap(beyond, cells(axis)) : mirror(beyond, cells(axis));
            auto those = layer(numbers, axis, i);
            if (cell < 0) {
                those.setConstant(-1);
            } else {
                those = (those < 0).select(those, those * cells(axis) + cell);
            }
        }
    }
    return numbers;
}

Eigen::ArrayXd ExtendedGrid::insert(const Eigen::ArrayXd &cells) const {
    Eigen::ArrayXd values = Eigen::ArrayXd::Constant(count_, nan);
    values(inside_) = cells;
    return values;
}

Eigen::ArrayXd ExtendedGrid::extract(const Eigen::ArrayXd &values) const {
    return values(inside_);
}

Eigen::ArrayXd ExtendedGrid::take(const std::vector<double> &cells, const CellNumbers &numbers) {
    return numbers.unaryExpr([&](std::int64_t cell) { return cell < 0 ? nan : cells[cell]; });
}

Eigen::ArrayXd ExtendedGrid::neighbour(const Eigen::ArrayXd &values, int axis, int direction) const {
    Eigen::ArrayXd result = Eigen::ArrayXd::Constant(count_, nan);
    auto to = lines(result, axis);
    const auto from = lines(values, axis);
    const Eigen::Index rows = to.rows() - stride_[axis];
    if (direction > 0) {
        to.topRows(rows) = from.bottomRows(rows);
    } else {
        to.bottomRows(rows) = from.topRows(rows);
    }
    return result;
}

Eigen::ArrayXd central_difference(const ExtendedGrid &grid, const Eigen::ArrayXd &values, int axis) {
    return (grid.neighbour(values, axis, 1) - grid.neighbour(values, axis, -1)) / (2.0 * grid.spacing(axis));
}

Eigen::ArrayXd second_difference(const ExtendedGrid &grid, const Eigen::ArrayXd &values, int axis) {
    const double h = grid.spacing(axis);
    return (grid.neighbour(values, axis, 1) - 2.0 * values + grid.neighbour(values, axis, -1)) / (h * h);
}

Eigen::ArrayXd out_through_face(const ExtendedGrid &grid, const Eigen::ArrayXd &a,
                                const Eigen::ArrayXd &values, int axis, int direction) {
    const Eigen::ArrayXd difference = grid.neighbour(values, axis, direction) - values;
    const Eigen::ArrayXd mean = harmonic_mean(a, grid.neighbour(a, axis, direction));
    // Where nothing differs nothing flows, whatever the coefficient beyond an axis of few cells is.
    return (difference == 0.0 || mean == 0.0).select(0.0, mean * difference) / grid.spacing(axis);
}

Eigen::ArrayXd divergence_of_gradient(const ExtendedGrid &grid, const Eigen::ArrayXd &a,
                                      const Eigen::ArrayXd &values) {
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(grid.count());
    for (int axis = 0; axis < grid.dimensions(); ++axis) {
        sum += (out_through_face(grid, a, values, axis, 1) + out_through_face(grid, a, values, axis, -1)) /
               grid.spacing(axis);
    }
    return sum;
}

Eigen::ArrayXd upwind_difference(const ExtendedGrid &grid, const std::vector<Eigen::ArrayXd> &velocity,
                                 const Eigen::ArrayXd &values) {
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(grid.count());
    for (int axis = 0; axis < grid.dimensions(); ++axis) {
        const Eigen::ArrayXd &v = velocity[axis];
        const Eigen::ArrayXd down = values - grid.neighbour(values, axis, -1);
        const Eigen::ArrayXd up = grid.neighbour(values, axis, 1) - values;
        sum += v * (v > 0.0).select(down, up) / grid.spacing(axis);
    }
    return sum;
}

Eigen::ArrayXd limited_values(const ExtendedGrid &grid, const Eigen::ArrayXd &values, int axis,
                              int direction) {
    const Eigen::ArrayXd down = values - grid.neighbour(values, axis, -1);
    const Eigen::ArrayXd up = grid.neighbour(values, axis, 1) - values;
    const Eigen::ArrayXd smaller = (down.abs() < up.abs()).select(down, up);
    return values + 0.5 * direction * (down * up > 0.0).select(smaller, 0.0);
}

Eigen::ArrayXd conservative_rate(const ExtendedGrid &grid, const FaceStates &lower, const FaceStates &upper,
                                 bool two_speeds, int axis) {
    const auto beyond = [&](const Eigen::ArrayXd &values) { return grid.neighbour(values, axis, 1); };
    const Eigen::ArrayXd left = upper.flux, right = beyond(lower.flux);
    const Eigen::ArrayXd jump = beyond(lower.conserved) - upper.conserved;
    const Eigen::ArrayXd fastest = upper.fastest.max(beyond(lower.fastest));
    Eigen::ArrayXd flux = 0.5 * (left + right);
    if (two_speeds) {
        const Eigen::ArrayXd up = fastest.max(0.0);
        const Eigen::ArrayXd down = upper.slowest.min(beyond(lower.slowest)).min(0.0);
        flux = (up == down).select(flux, (up * left - down * right + up * down * jump) / (up - down));
    } else {
        flux -= 0.5 * fastest * jump;
    }
    return (grid.neighbour(flux, axis, -1) - flux) / grid.spacing(axis);
}

Eigen::ArrayXd random_numbers(std::uint64_t seed, const CellNumbers &cells) {
    return cells.unaryExpr([seed](std::int64_t cell) {
        std::uint64_t z = seed * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(cell);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        z ^= z >> 31U;
        return cell < 0 ? nan : static_cast<double>(z >> 11U) * 0x1p-53;
    });
}

Eigen::ArrayXd normal_numbers(std::uint32_t seed, std::uint32_t step, const CellNumbers &cells) {
    return cells.unaryExpr([&](std::int64_t cell) {
        if (cell < 0) {
            return nan;
        }
        const auto words = philox({static_cast<std::uint32_t>(cell), step, 0, 0}, {seed, 0});
        const double bits =
            static_cast<double>((std::uint64_t{words[0]} << 20U) | (words[1] >> 12U)) * 0x1p-52;
        const double probability =
            (bits < 0.5 ? bits : 1.0 - bits - 0x1p-52) + 0x1p-53;  // of what lies further out
        double x =
            0.0;  // Newton's method on erfc(x / sqrt(2)) / 2, which falls and bends upwards from x = 0 on
        for (double change = 1.0; change > 1.0e-15;) {
            const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
            change = (0.5 * std::erfc(x / std::numbers::sqrt2) - probability) / density;
            x += change;
        }
        return bits < 0.5 ? -x : x;
    });
}

}  // namespace perdure::reference
