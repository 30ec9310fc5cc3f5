#include <cmath>

#include "solver/reference/multigrid_levels.hpp"
#include "solver/reference/network_cells.hpp"

namespace perdure::reference {

namespace {

using Vector = Eigen::VectorXd;

// One axis of a network in pairs: pair I is cells 2 I and 2 I + 1, the last one perhaps alone.
class Pairs {
  public:
    Pairs(const Network &network, int axis)
        : network_(network), axis_(axis), n_(network.grid.cells[axis]), count_((n_ + 1) / 2) {}

    [[nodiscard]] std::int64_t count() const { return count_; }

    // Resistances from the value of pair I in the line of `cell` to its lower (0) or upper (1) end's neighbour.
    struct Way {
        double here, whole;  // that within I, and all up to the value of the neighbour or to the side
        std::int64_t pair;   // the neighbour; -1: a side
        bool open;
    };
    [[nodiscard]] Way way(const Cell &cell, std::int64_t pair, int end) const {
        const double here = within(cell, pair, end);
        const bool last = end == 1 ? pair + 1 == count_ : pair == 0;
        if (last && !network_.periodic[axis_]) {
            const double t = network_.side[axis_][end][at(cell, end == 1 ? n_ - 1 : 0)];
            return {here, t > 0.0 ? here + 1.0 / t : 0.0, -1, t > 0.0};
        }
        const std::int64_t other = (pair + (end == 1 ? 1 : count_ - 1)) % count_;
        const double t = network_.lower[axis_][at(cell, 2 * (end == 1 ? other : pair))];
        return {here, t > 0.0 ? here + 1.0 / t + within(cell, other, 1 - end) : 0.0, other, t > 0.0};
    }
    // The weight in a cell of what lies beyond the nearer end of its pair.
    [[nodiscard]] double weight(const Cell &cell) const {
        const Way there = way(cell, cell[axis_] / 2, static_cast<int>(cell[axis_] % 2));
        return there.open ? there.here / there.whole : 0.0;
    }
    // The pair there; -1: none but a side.
    [[nodiscard]] std::int64_t beyond(const Cell &cell) const {
        return way(cell, cell[axis_] / 2, static_cast<int>(cell[axis_] % 2)).pair;
    }

  private:
    [[nodiscard]] std::int64_t at(const Cell &cell, std::int64_t i) const {
        return moved(network_.grid, cell, axis_, i);
    }
    // Part of the resistance between the two cells of a pair, from its value to the cell at one end: as the fourth roots of
    // the other's and of both cells' strengths.
    [[nodiscard]] double within(const Cell &cell, std::int64_t pair, int end) const {
        const double t = 2 * pair + 1 < n_ ? network_.lower[axis_][at(cell, 2 * pair + 1)] : 0.0;
        const auto root = [&](int which) { return std::pow(strength(cell, 2 * pair + which), 0.25); };
        if (t <= 0.0) {
            return 0.0;
        }
        const double both = root(0) + root(1);
        return (both > 0.0 ? root(1 - end) / both : 0.5) / t;
    }
    // What conducts across the axis.
    [[nodiscard]] double strength(Cell cell, std::int64_t i) const {
        cell[axis_] = i;
        double sum = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            if (axis != axis_) {
                sum += network_.lower[axis][at(cell, i)] +
                       network_.lower[axis][above(network_.grid, cell, axis)];
            }
        }
        return sum;
    }

    const Network &network_;
    int axis_;
    std::int64_t n_, count_;
};

// What belongs to cells goes over to the pairs that their values come from: `weights` of it to `beyond`.
Vector shared(const Grid &fine, const Grid &coarse, int axis, const Vector &values, const Vector &weights,
              const std::vector<std::int64_t> &beyond) {
    Vector sums = Vector::Zero(static_cast<Eigen::Index>(coarse.count()));
    for_each_cell(fine, [&](const Cell &cell, std::int64_t i) {
        const double share = beyond[i] >= 0 ? weights[i] : 0.0;
        sums[moved(coarse, cell, axis, cell[axis] / 2)] += (1.0 - share) * values[i];
        if (beyond[i] >= 0) {
            sums[moved(coarse, cell, axis, beyond[i])] += share * values[i];
        }
    });
    return sums;
}

// Of each cell and the one below it along an axis.
Vector means(const Grid &grid, int axis, const Vector &values) {
    Vector result = values;
    for_each_cell(grid, [&](const Cell &cell, std::int64_t i) {
        const std::int64_t n = grid.cells[axis];
        result[i] = 0.5 * (values[i] + values[moved(grid, cell, axis, (cell[axis] + n - 1) % n)]);
    });
    return result;
}

// What conductances across an axis add to that along it, in each cell, where weights differ.
Vector stretched(const Network &network, int axis, const Vector &weights) {
    Vector result = Vector::Zero(weights.size());
    for (int across = 0; across < 3; ++across) {
        if (across == axis) {
            continue;
        }
        for_each_cell(network.grid, [&](const Cell &cell, std::int64_t i) {
            const std::int64_t other = above(network.grid, cell, across);
            const double d = weights[i] - weights[other];
            result[i] += 0.25 * d * d * network.lower[across][other];
            result[other] += 0.25 * d * d * network.lower[across][other];
        });
    }
    return result;
}

}  // namespace

Halving halve(const Network &network, int axis) {
    const Grid &fine = network.grid;
    const Pairs pairs(network, axis);
    Halving result{network, {}};
    Network &coarse = result.network;
    coarse.grid.cells[axis] = pairs.count();
    coarse.grid.spacing[axis] *= 2.0;
    Vector weights(static_cast<Eigen::Index>(fine.count()));
    std::vector<std::int64_t> beyond(fine.count());
    for_each_cell(fine, [&](const Cell &cell, std::int64_t i) {
        weights[i] = pairs.weight(cell);
        beyond[i] = pairs.beyond(cell);
    });
    const Vector stiffer = stretched(network, axis, weights);
    coarse.sigma = shared(fine, coarse.grid, axis, network.sigma, weights, beyond);
    for (int other = 0; other < 3; ++other) {
        const Vector mean = means(fine, other, weights);
        coarse.lower[other] = shared(fine, coarse.grid, axis, network.lower[other], mean, beyond);
        for (const int end : {0, 1}) {
            coarse.side[other][end] =
                shared(fine, coarse.grid, axis, network.side[other][end], weights, beyond);
        }
    }
    // Cell i lies at the end of a pair that the way leads through.
    const auto stiffness = [&](const Cell &cell, std::int64_t i) {
        return i < fine.cells[axis] ? stiffer[moved(fine, cell, axis, i)] : 0.0;
    };
    for_each_cell(coarse.grid, [&](const Cell &cell, std::int64_t i) {
        const std::int64_t pair = cell[axis];
        const Pairs::Way down = pairs.way(cell, pair, 0);
        const Pairs::Way up = pairs.way(cell, pair, 1);
        const double below = !down.open       ? 0.0
                             : down.pair >= 0 ? 1.0 / down.whole + stiffness(cell, 2 * pair) +
                                                    stiffness(cell, 2 * down.pair + 1)
                                              : 1.0 / down.whole + stiffness(cell, 2 * pair);
        coarse.lower[axis][i] = down.pair >= 0 && down.pair != pair ? below : 0.0;
        coarse.side[axis][0][i] = down.pair < 0 ? below : 0.0;
        coarse.side[axis][1][i] =
            up.pair < 0 && up.open ? 1.0 / up.whole + stiffness(cell, 2 * pair + 1) : 0.0;
    });
    std::vector<Eigen::Triplet<double>> entries;
    for_each_cell(fine, [&](const Cell &cell, std::int64_t i) {
        const auto row = static_cast<int>(i);
        entries.emplace_back(row, static_cast<int>(moved(coarse.grid, cell, axis, cell[axis] / 2)),
                             1.0 - weights[i]);
        if (beyond[i] >= 0) {
            entries.emplace_back(row, static_cast<int>(moved(coarse.grid, cell, axis, beyond[i])),
                                 weights[i]);
        }
    });
    result.interpolation.resize(static_cast<Eigen::Index>(fine.count()),
                                static_cast<Eigen::Index>(coarse.grid.count()));
    result.interpolation.setFromTriplets(entries.begin(), entries.end());
    return result;
}

}  // namespace perdure::reference
