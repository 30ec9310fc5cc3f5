#include "solver/reference/multigrid_levels.hpp"

#include <algorithm>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/reference/assemble.hpp"
#include "solver/reference/network_cells.hpp"

namespace perdure::reference {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

// Axes along which cells are coupled most, in the order in which they are halved.
std::vector<int> axes_to_halve(const Grid &grid) {
    double smallest = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        if (grid.cells[axis] > 1 && (smallest == 0.0 || grid.spacing[axis] < smallest)) {
            smallest = grid.spacing[axis];
        }
    }
    std::vector<int> axes;
    for (int axis = 2; axis >= 0; --axis) {
        if (grid.cells[axis] > 1 && grid.spacing[axis] <= 1.42 * smallest) {
            axes.push_back(axis);
        }
    }
    return axes;
}

}  // namespace

Matrix Network::matrix() const {
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](std::int64_t row, std::int64_t column, double value) {
        entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    };
    for_each_cell(grid, [&](const Cell &cell, std::int64_t i) {
        add(i, i, sigma[i]);
        for (int axis = 0; axis < 3; ++axis) {
            add(i, i, side[axis][0][i] + side[axis][1][i]);
            const std::int64_t n = grid.cells[axis];
            const std::int64_t below = moved(grid, cell, axis, (cell[axis] + n - 1) % n);
            const double t = lower[axis][i];
            if (t > 0.0 && below != i) {
                add(i, i, t);
                add(below, below, t);
                add(i, below, -t);
                add(below, i, -t);
            }
        }
    });
    const auto n = static_cast<Eigen::Index>(grid.count());
    Matrix matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

Network network_of(const Grid &grid, const Field &field, const std::vector<bool> &keep) {
    const auto n = static_cast<Eigen::Index>(grid.count());
    Network network;
    network.grid = grid;
    network.sigma = Vector::Zero(n);
    for (int axis = 0; axis < 3; ++axis) {
        network.periodic[axis] = axis < grid.dimensions && is_periodic(field.sides, axis);
        network.lower[axis] = network.side[axis][0] = network.side[axis][1] = Vector::Zero(n);
    }
    const auto a = [&](int axis, std::int64_t cell) { return keep[cell] ? field.a_along(axis, cell) : 0.0; };
    for_each_cell(grid, [&](const Cell &cell, std::int64_t i) {
        network.sigma[i] = keep[i] ? field.sigma[i] : 0.0;
        for (int axis = 0; axis < grid.dimensions; ++axis) {
            const double h = grid.spacing[axis];
            const std::int64_t count = grid.cells[axis];
            const std::int64_t face = axis == 0   ? cell[1] + grid.cells[1] * cell[2]
                                      : axis == 1 ? cell[0] + grid.cells[0] * cell[2]
                                                  : cell[0] + grid.cells[0] * cell[1];
            if (count > 1 && (cell[axis] > 0 || network.periodic[axis])) {
                const std::int64_t below = moved(grid, cell, axis, (cell[axis] + count - 1) % count);
                network.lower[axis][i] = harmonic(a(axis, i), a(axis, below)) / (h * h);
            }
            for (const int end : {0, 1}) {
                if (cell[axis] == (end == 1 ? count - 1 : 0)) {
                    network.side[axis][end][i] =
                        side_rate(face_condition(field.sides[2 * axis + end], face), a(axis, i), h).rate;
                }
            }
        }
    });
    return network;
}

std::vector<Level> make_levels(Network network) {
    constexpr std::int64_t coarsest_cells = 32;
    std::vector<Level> levels;
    for (;;) {
        Level level;
        level.grid = network.grid;
        level.matrix = network.matrix();
        level.inverse_diagonal =
            Vector(level.matrix.diagonal()).unaryExpr([](double d) { return d > 0.0 ? 1.0 / d : 0.0; });
        const std::vector<int> axes = axes_to_halve(network.grid);
        const bool coarsest = network.grid.count() <= coarsest_cells || axes.empty();
        for (std::size_t i = 0; i < axes.size() && !coarsest; ++i) {
            Halving halving = halve(network, axes[i]);
            level.interpolation =
                i == 0 ? halving.interpolation : Matrix(level.interpolation * halving.interpolation);
            network = std::move(halving.network);
        }
        levels.push_back(std::move(level));
        if (coarsest) {
            return levels;
        }
    }
}

}  // namespace perdure::reference
