#include "solver/run/discretise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/run/check_range.hpp"
#include "solver/run/conductance.hpp"

#include <fmt/format.h>

namespace perdure {

namespace {

using Cell = std::array<std::int64_t, 3>;

/// Conductances around one cell: to its side where it touches one, to its neighbour elsewhere.
struct CellBalance {
    double diagonal = 0.0;
    double faces = 0.0;
    double size = 0.0;  // of all terms' magnitudes
    std::array<double, 3> lower{};
    std::array<double, 3> upper{};
};

class Assembler {
  public:
    Assembler(const Problem &problem, const ActiveCells &cells)
        : problem_(problem), cells_(cells), grid_(problem.grid) {}

    [[nodiscard]] bool uniform() const {
        bool uniform = problem_.a.uniform() && problem_.sigma.uniform() && cells_.excluded == 0;
        for (const Samples &component : problem_.velocity) {
            uniform = uniform && component.uniform();
        }
        for (const Side &side : problem_.sides) {
            uniform = uniform && (side.kind != SideKind::exchange || side.coefficient.uniform());
        }
        return uniform;
    }

    [[nodiscard]] bool active(std::int64_t index) const {
        return cells_.active.empty() || cells_.active[index] != 0;
    }

    /// Coefficient that conducts: 0 in excluded cells.
    [[nodiscard]] double a(std::int64_t index) const { return active(index) ? problem_.a[index] : 0.0; }

    [[nodiscard]] bool convective() const { return problem_.convective; }
    [[nodiscard]] double weight(std::int64_t index, int axis, int upper) const {
        return convection_weight(problem_, index, axis, upper);
    }

    /// Index of the neighbour above along an axis, around a periodic side.
    [[nodiscard]] std::int64_t above(Cell cell, int axis) const {
        cell[axis] = (cell[axis] + 1) % grid_.cells[axis];
        return grid_.index(cell[0], cell[1], cell[2]);
    }

    [[nodiscard]] CellBalance balance(const Cell &cell) const {
        const std::int64_t index = grid_.index(cell[0], cell[1], cell[2]);
        const double here = a(index);
        CellBalance balance;
        double sides = active(index) ? problem_.sigma[index] : 0.0;
        double faces = 0.0;
        balance.diagonal = sides;
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
            for (const int upper : {0, 1}) {
                const double weight = convection_weight(problem_, index, axis, upper);
                const double t = weight * neighbour_conductance(cell, here, axis, upper);
                balance.faces += t;
                faces += std::abs(t);
                (upper == 0 ? balance.lower : balance.upper)[axis] = t;
                if (at_side(cell, axis, upper)) {
                    const double to_side =
                        weight * side_conductance(problem_.sides[2 * axis + upper], here, grid_.spacing[axis],
                                                  side_face(grid_, axis, cell));
                    balance.diagonal += to_side;
                    sides += std::abs(to_side);
                }
            }
        }
        balance.size = sides + faces;
        return balance;
    }

    [[nodiscard]] bool at_side(const Cell &cell, int axis, int upper) const {
        return cell[axis] == (upper != 0 ? grid_.cells[axis] - 1 : 0);
    }

  private:
    [[nodiscard]] double neighbour_conductance(Cell cell, double here, int axis, int upper) const {
        const std::int64_t n = grid_.cells[axis];
        if (at_side(cell, axis, upper) && (problem_.sides[2 * axis].kind != SideKind::periodic || n == 1)) {
            return 0.0;
        }
        cell[axis] = (cell[axis] + (upper != 0 ? 1 : n - 1)) % n;
        const double there = a(grid_.index(cell[0], cell[1], cell[2]));
        return harmonic(here, there) / (grid_.spacing[axis] * grid_.spacing[axis]);
    }

    const Problem &problem_;
    const ActiveCells &cells_;
    const Grid &grid_;
};

template <typename Function>
void for_each_cell(const Grid &grid, Function function) {
    std::int64_t index = 0;
    for (std::int64_t z = 0; z < grid.cells[2]; ++z) {
        for (std::int64_t y = 0; y < grid.cells[1]; ++y) {
            for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
                function(index++, Cell{x, y, z});
            }
        }
    }
}

/// Cells that stand for all boundary positions: along each axis the first, one inside and the last.
template <typename Function>
void for_each_position(const Grid &grid, Function function) {
    const auto coordinates = [&](int axis) {
        const std::int64_t n = grid.cells[axis];
        return std::array<std::int64_t, 3>{0, std::min<std::int64_t>(1, n - 1), n - 1};
    };
    const auto position = [&](int axis, std::int64_t i) {
        return (i == 0 ? 1 : 0) + (i + 1 == grid.cells[axis] ? 2 : 0);
    };
    for (const std::int64_t z : coordinates(2)) {
        for (const std::int64_t y : coordinates(1)) {
            for (const std::int64_t x : coordinates(0)) {
                function(position(0, x) + 4 * position(1, y) + 16 * position(2, z), Cell{x, y, z});
            }
        }
    }
}

template <typename Real>
void assemble_operator(const Assembler &assembler, const Grid &grid, Discretisation<Real> &out) {
    double largest_row = 0.0;
    const auto store = [&](std::size_t place, const CellBalance &balance) {
        out.diagonal[place] = static_cast<Real>(balance.diagonal);
        out.inverse_diagonal[place] = balance.size > 0.0 ? static_cast<Real>(1.0 / balance.size) : Real(0);
        largest_row = std::max(largest_row, balance.size + balance.faces);
        if (balance.size > 0.0) {
            out.spectrum_top = std::max(out.spectrum_top, 1.0 + balance.faces / balance.size);
        }
    };
    if (out.uniform) {
        out.diagonal.assign(64, Real(0));
        out.inverse_diagonal.assign(64, Real(0));
        for (int axis = 0; axis < 3; ++axis) {
            const double h = grid.spacing[axis];
            const double t = axis < grid.dimensions ? assembler.a(0) / (h * h) : 0.0;
            out.face[axis].assign(64, static_cast<Real>(assembler.weight(0, axis, 0) * t));
            if (assembler.convective()) {
                out.across[axis].assign(1, static_cast<Real>(assembler.weight(0, axis, 1) * t));
            }
        }
        for_each_position(grid, [&](int place, const Cell &cell) { store(place, assembler.balance(cell)); });
    } else {
        const auto cells = static_cast<std::size_t>(grid.count());
        out.diagonal.resize(cells);
        out.inverse_diagonal.resize(cells);
        for (int axis = 0; axis < 3; ++axis) {
            out.face[axis].resize(axis < grid.dimensions ? cells : 1);
            if (assembler.convective()) {
                out.across[axis].resize(out.face[axis].size());
            }
        }
        for_each_cell(grid, [&](std::int64_t index, const Cell &cell) {
            const CellBalance balance = assembler.balance(cell);
            store(static_cast<std::size_t>(index), balance);
            for (int axis = 0; axis < grid.dimensions; ++axis) {
                out.face[axis][index] = static_cast<Real>(balance.lower[axis]);
                if (assembler.convective() && balance.upper[axis] != 0.0) {
                    out.across[axis][assembler.above(cell, axis)] = static_cast<Real>(balance.upper[axis]);
                }
            }
        });
    }
    out.stable_time_step = largest_row > 0.0 ? 2.0 / largest_row : std::numeric_limits<double>::infinity();
}

/// Right-hand sides in double: sums of sources and side terms that share a time factor.
class RightHandSides {
  public:
    explicit RightHandSides(std::size_t cells) : cells_(cells), values_(cells, 0.0) {}

    void add(const std::string &factor, std::size_t cell, double value) {
        if (value != 0.0) {
            values_[row(factor) * cells_ + cell] += value;
        }
    }
    [[nodiscard]] std::vector<double> &values() { return values_; }
    [[nodiscard]] const std::vector<std::string> &factors() const { return factors_; }

  private:
    std::size_t row(const std::string &factor) {
        if (factor.empty()) {
            return 0;
        }
        const auto found = std::find(factors_.begin(), factors_.end(), factor);
        if (found != factors_.end()) {
            return 1 + static_cast<std::size_t>(found - factors_.begin());
        }
        factors_.push_back(factor);
        values_.resize((1 + factors_.size()) * cells_, 0.0);
        return factors_.size();
    }

    std::size_t cells_;
    std::vector<double> values_;
    std::vector<std::string> factors_;
};

RightHandSides right_hand_sides(const Problem &problem, const Assembler &assembler) {
    const Grid &grid = problem.grid;
    RightHandSides b(static_cast<std::size_t>(grid.count()));
    for_each_cell(grid, [&](std::int64_t index, const Cell &cell) {
        if (!assembler.active(index)) {
            return;
        }
        b.add(problem.f_time_factor, index, problem.f[index]);
        for (int axis = 0; axis < grid.dimensions; ++axis) {
            for (const int upper : {0, 1}) {
                const Side &side = problem.sides[2 * axis + upper];
                if (!assembler.at_side(cell, axis, upper) || side.kind == SideKind::periodic) {
                    continue;
                }
                const std::int64_t face = side_face(grid, axis, cell);
                const double h = grid.spacing[axis];
                const double weight = side.kind == SideKind::flux
                                          ? 1.0 / h
                                          : side_conductance(side, assembler.a(index), h, face);
                b.add(side.time_factor, index,
                      assembler.weight(index, axis, upper) * weight * side.values[face]);
            }
        }
    });
    return b;
}

/// A domain without value, exchange or sigma: what rounding left of the balance of each connected part is
/// spread over it.
void balance_parts(const ActiveCells &cells, std::vector<double> &b) {
    std::vector<double> sum(static_cast<std::size_t>(cells.parts), 0.0);
    std::vector<double> count(sum.size(), 0.0);
    for (std::size_t i = 0; i < cells.part.size(); ++i) {
        if (cells.part[i] >= 0) {
            sum[cells.part[i]] += b[i];
            count[cells.part[i]] += 1.0;
        }
    }
    for (std::size_t i = 0; i < cells.part.size(); ++i) {
        if (cells.part[i] >= 0) {
            b[i] -= sum[cells.part[i]] / count[cells.part[i]];
        }
    }
}

}  // namespace

template <typename Real>
Discretisation<Real> discretise(const Problem &problem, const ActiveCells &cells) {
    const Assembler assembler(problem, cells);
    Discretisation<Real> out;
    out.uniform = assembler.uniform();
    assemble_operator(assembler, problem.grid, out);
    RightHandSides b = right_hand_sides(problem, assembler);
    if (cells.pinned && problem.type == ProblemType::diffusion) {
        balance_parts(cells, b.values());
    }
    out.b.assign(b.values().begin(), b.values().end());
    out.factors = b.factors();
    check_range(out, b.values());
    return out;
}

template Discretisation<float> discretise(const Problem &, const ActiveCells &);
template Discretisation<double> discretise(const Problem &, const ActiveCells &);

}  // namespace perdure
