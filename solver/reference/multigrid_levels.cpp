#include "solver/reference/multigrid_levels.hpp"

#include <algorithm>

#include "solver/reference/assemble.hpp"

namespace perdure::reference {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;
using Cell = std::array<std::int64_t, 3>;

template <class Visit>
void for_each_cell(const Grid &grid, Visit visit) {
    for (std::int64_t z = 0; z < grid.cells[2]; ++z) {
        for (std::int64_t y = 0; y < grid.cells[1]; ++y) {
            for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
                visit(Cell{x, y, z}, grid.index(x, y, z));
            }
        }
    }
}

std::int64_t moved(const Grid &grid, Cell cell, int axis, std::int64_t to) {
    cell[axis] = to;
    return grid.index(cell[0], cell[1], cell[2]);
}

double side_rate(const Side &side, double a, double spacing, std::int64_t face) {
    if (a == 0.0) {
        return 0.0;
    }
    if (side.kind == SideKind::value) {
        return 2.0 * a / (spacing * spacing);
    }
    const double h = side.kind == SideKind::exchange ? side.coefficient[face] : 0.0;
    return h > 0.0 ? 1.0 / (spacing / h + spacing * spacing / (2.0 * a)) : 0.0;
}

// Resistance 1 / t, or none where nothing is in the way (t < 0) or the cells do not touch.
double half_of(double t) {
    return t > 0.0 ? 0.5 / t : 0.0;
}

// One axis of a network in pairs: pair I is cells 2 I and 2 I + 1, the last one perhaps alone.
class Pairs {
  public:
    Pairs(const Network &network, int axis)
        : network_(network), axis_(axis), n_(network.grid.cells[axis]), count_((n_ + 1) / 2) {}

    [[nodiscard]] std::int64_t count() const { return count_; }

    // Resistances from the middle of pair I in the line of `cell` to its lower (0) or upper (1) end's neighbour.
    struct Way {
        double here, whole;  // half of I's own, and all up to the middle of the neighbour or to the side
        std::int64_t pair;   // the neighbour; -1: a side
        bool open;
    };
    [[nodiscard]] Way way(const Cell &cell, std::int64_t pair, int end) const {
        const double here = half_of(inner(cell, pair));
        const bool last = end == 1 ? pair + 1 == count_ : pair == 0;
        if (last && !network_.periodic[axis_]) {
            const double t = network_.side[axis_][end][at(cell, end == 1 ? n_ - 1 : 0)];
            return {here, t > 0.0 ? here + 1.0 / t : 0.0, -1, t > 0.0};
        }
        const std::int64_t other = (pair + (end == 1 ? 1 : count_ - 1)) % count_;
        const double t = network_.lower[axis_][at(cell, 2 * (end == 1 ? other : pair))];
        return {here, t > 0.0 ? here + 1.0 / t + half_of(inner(cell, other)) : 0.0, other, t > 0.0};
    }

  private:
    [[nodiscard]] std::int64_t at(const Cell &cell, std::int64_t i) const {
        return moved(network_.grid, cell, axis_, i);
    }
    [[nodiscard]] double inner(const Cell &cell, std::int64_t pair) const {
        return 2 * pair + 1 < n_ ? network_.lower[axis_][at(cell, 2 * pair + 1)] : 0.0;
    }

    const Network &network_;
    int axis_;
    std::int64_t n_, count_;
};

Vector pair_sums(const Grid &fine, const Grid &coarse, int axis, const Vector &values) {
    Vector sums = Vector::Zero(static_cast<Eigen::Index>(coarse.count()));
    for_each_cell(fine, [&](const Cell &cell, std::int64_t i) {
        sums[moved(coarse, cell, axis, cell[axis] / 2)] += values[i];
    });
    return sums;
}

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

Network network_of(const Problem &problem, const std::vector<bool> &keep) {
    const auto n = static_cast<Eigen::Index>(problem.grid.count());
    Network network;
    network.grid = problem.grid;
    network.sigma = Vector::Zero(n);
    for (int axis = 0; axis < 3; ++axis) {
        network.periodic[axis] =
            axis < problem.grid.dimensions && problem.sides[2 * axis].kind == SideKind::periodic;
        network.lower[axis] = network.side[axis][0] = network.side[axis][1] = Vector::Zero(n);
    }
    const auto a = [&](std::int64_t cell) { return keep[cell] ? problem.a[cell] : 0.0; };
    for_each_cell(problem.grid, [&](const Cell &cell, std::int64_t i) {
        network.sigma[i] = keep[i] ? problem.sigma[i] : 0.0;
        for (int axis = 0; axis < problem.grid.dimensions; ++axis) {
            const double h = problem.grid.spacing[axis];
            const std::int64_t count = problem.grid.cells[axis];
            const std::int64_t face = axis == 0   ? cell[1] + problem.grid.cells[1] * cell[2]
                                      : axis == 1 ? cell[0] + problem.grid.cells[0] * cell[2]
                                                  : cell[0] + problem.grid.cells[0] * cell[1];
            if (count > 1 && (cell[axis] > 0 || network.periodic[axis])) {
                const std::int64_t below = moved(problem.grid, cell, axis, (cell[axis] + count - 1) % count);
                network.lower[axis][i] = harmonic(a(i), a(below)) / (h * h);
            }
            for (const int end : {0, 1}) {
                if (cell[axis] == (end == 1 ? count - 1 : 0)) {
                    network.side[axis][end][i] = side_rate(problem.sides[2 * axis + end], a(i), h, face);
                }
            }
        }
    });
    return network;
}

Halving halve(const Network &network, int axis) {
    const Grid &fine = network.grid;
    const Pairs pairs(network, axis);
    Halving result{network, {}};
    Network &coarse = result.network;
    coarse.grid.cells[axis] = pairs.count();
    coarse.grid.spacing[axis] *= 2.0;
    coarse.sigma = pair_sums(fine, coarse.grid, axis, network.sigma);
    for (int other = 0; other < 3; ++other) {
        coarse.lower[other] = pair_sums(fine, coarse.grid, axis, network.lower[other]);
        for (const int end : {0, 1}) {
            coarse.side[other][end] = pair_sums(fine, coarse.grid, axis, network.side[other][end]);
        }
    }
    for_each_cell(coarse.grid, [&](const Cell &cell, std::int64_t i) {
        const std::int64_t pair = cell[axis];
        const Pairs::Way down = pairs.way(cell, pair, 0);
        const Pairs::Way up = pairs.way(cell, pair, 1);
        const auto conductance = [](const Pairs::Way &way) { return way.open ? 1.0 / way.whole : 0.0; };
        coarse.lower[axis][i] = down.pair >= 0 && down.pair != pair ? conductance(down) : 0.0;
        coarse.side[axis][0][i] = down.pair < 0 ? conductance(down) : 0.0;
        coarse.side[axis][1][i] = up.pair < 0 ? conductance(up) : 0.0;
    });
    std::vector<Eigen::Triplet<double>> entries;
    for_each_cell(fine, [&](const Cell &cell, std::int64_t i) {
        const std::int64_t pair = cell[axis] / 2;
        const Pairs::Way way = pairs.way(cell, pair, static_cast<int>(cell[axis] % 2));
        const double weight = way.open ? way.here / way.whole : 0.0;
        const auto row = static_cast<int>(i);
        entries.emplace_back(row, static_cast<int>(moved(coarse.grid, cell, axis, pair)), 1.0 - weight);
        if (way.pair >= 0) {
            entries.emplace_back(row, static_cast<int>(moved(coarse.grid, cell, axis, way.pair)), weight);
        }
    });
    result.interpolation.resize(static_cast<Eigen::Index>(fine.count()),
                                static_cast<Eigen::Index>(coarse.grid.count()));
    result.interpolation.setFromTriplets(entries.begin(), entries.end());
    return result;
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
