#include "solver/run/discretise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/problem/in_parallel.hpp"
#include "solver/run/assembler.hpp"
#include "solver/run/check_range.hpp"

#include <fmt/format.h>

namespace perdure {

namespace {

/// function(index, cell) of the rows [begin, end).
template <typename Function>
void for_each_cell(const Grid &grid, std::int64_t begin, std::int64_t end, Function function) {
    std::int64_t index = begin * grid.cells[0];
    for (std::int64_t row = begin; row < end; ++row) {
        for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
            function(index++, Cell{x, row % grid.cells[1], row / grid.cells[1]});
        }
    }
}

/// Cells that stand for all boundary positions: along each axis the first, one inside and the last. A periodic axis of one or two
/// cells has none inside; what a kernel looks up there is that of the first, since its sides are no different.
template <typename Function>
void for_each_position(const Grid &grid, const Assembler &assembler, Function function) {
    const auto coordinates = [&](int axis) {
        const std::int64_t n = grid.cells[axis];
        return std::array<std::int64_t, 3>{0, std::min<std::int64_t>(1, n - 1), n - 1};
    };
    const auto position = [&](int axis, std::int64_t i) {
        return (i == 0 ? 1 : 0) + (i + 1 == grid.cells[axis] ? 2 : 0);
    };
    const auto positions = [&](int axis) {
        std::vector<std::pair<int, std::int64_t>> found;
        for (const std::int64_t i : coordinates(axis)) {
            found.emplace_back(position(axis, i), i);
        }
        if (grid.cells[axis] <= 2 && assembler.periodic(axis)) {
            found.emplace_back(0, 0);
        }
        return found;
    };
    for (const auto &[side_z, z] : positions(2)) {
        for (const auto &[side_y, y] : positions(1)) {
            for (const auto &[side_x, x] : positions(0)) {
                function(side_x + 4 * side_y + 16 * side_z, Cell{x, y, z});
            }
        }
    }
}

/// Gershgorin's bounds of D^-1 A and of A.
struct Spectrum {
    double top = 1.0;
    double largest_row = 0.0;

    void add(const CellBalance &balance) {
        largest_row = std::max(largest_row, balance.size + balance.faces);
        if (balance.size > 0.0) {
            top = std::max(top, 1.0 + balance.faces / balance.size);
        }
    }
    void add(const Spectrum &other) {
        top = std::max(top, other.top);
        largest_row = std::max(largest_row, other.largest_row);
    }
};

template <typename Real>
void assemble_operator(const Assembler &assembler, const Grid &grid, Discretisation<Real> &out) {
    Spectrum all;
    const auto store = [&](std::size_t place, const CellBalance &balance, Spectrum &spectrum) {
        out.diagonal[place] = static_cast<Real>(balance.diagonal);
        out.inverse_diagonal[place] = balance.size > 0.0 ? static_cast<Real>(1.0 / balance.size) : Real(0);
        spectrum.add(balance);
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
        for_each_position(grid, assembler,
                          [&](int place, const Cell &cell) { store(place, assembler.balance(cell), all); });
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
        std::mutex lock;
        const std::int64_t rows = grid.cells[1] * grid.cells[2];
        in_parallel(rows, grid.count(), [&](std::int64_t begin, std::int64_t end) {
            Spectrum of_rows;
            for_each_cell(grid, begin, end, [&](std::int64_t index, const Cell &cell) {
                const CellBalance balance = assembler.balance(cell);
                store(static_cast<std::size_t>(index), balance, of_rows);
                for (int axis = 0; axis < grid.dimensions; ++axis) {
                    out.face[axis][index] = static_cast<Real>(balance.lower[axis]);
                    if (assembler.convective() && balance.upper[axis] != 0.0) {
                        out.across[axis][assembler.above(cell, axis)] =
                            static_cast<Real>(balance.upper[axis]);
                    }
                }
            });
            const std::lock_guard hold(lock);
            all.add(of_rows);
        });
    }
    out.spectrum_top = all.top;
    out.stable_time_step =
        all.largest_row > 0.0 ? 2.0 / all.largest_row : std::numeric_limits<double>::infinity();
}

/// Right-hand sides in double: sums of sources and side terms that share a time factor.
class RightHandSides {
  public:
    /// Its first rows, behind that of what is constant, belong to `factors`.
    RightHandSides(std::size_t cells, std::vector<std::string> factors)
        : cells_(cells), values_((1 + factors.size()) * cells, 0.0), factors_(std::move(factors)) {}

    void add(const std::string &factor, std::size_t cell, double value) {
        if (value != 0.0) {
            values_[row(factor) * cells_ + cell] += value;
        }
    }
    void add_sources(const Field &field, const Assembler &assembler) {
        const Samples &f = field.f;
        if (f.uniform() && f[0] == 0.0) {
            return;
        }
        const std::size_t first = row(field.f_time_factor) * cells_;
        double *const out = values_.data() + first;
        in_parallel(static_cast<std::int64_t>(cells_), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                out[i] = assembler.active(i) ? 0.0 + f[i] : 0.0;  // no -0
            }
        });
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

/// Of each cell its source first, then its sides in their order.
RightHandSides right_hand_sides(const Grid &grid, const Field &field, const Assembler &assembler,
                                const std::vector<std::string> &factors) {
    RightHandSides b(static_cast<std::size_t>(grid.count()), factors);
    b.add_sources(field, assembler);
    for (int number = 0; number < 2 * grid.dimensions; ++number) {
        const Side &side = field.sides[number];
        const int axis = number / 2;
        for_each_beside(grid, number, [&](std::int64_t index, const Cell &cell) {
            if (!assembler.active(index)) {
                return;
            }
            const FaceCondition condition = face_condition(side, side_face(grid, axis, cell));
            const SideInflow inflow = side_inflow(condition, assembler.a(index), grid.spacing[axis]);
            const double weight = assembler.weight(index, axis, number % 2);
            b.add(side.time_factor, index, weight * inflow.conductance * inflow.level);
            b.add(side.time_factor, index, weight * inflow.flux_weight * inflow.flux);
        });
    }
    return b;
}

/// A domain where nothing fixes the level of u: what rounding left of the balance of each connected part is
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

/// `factors`: those that the fields before it have.
template <typename Real>
Discretisation<Real> discretise_field(const Grid &grid, const Field &field, const ActiveCells &cells,
                                      bool uniform, const std::vector<std::string> &factors) {
    const Assembler assembler(grid, field, cells);
    Discretisation<Real> out;
    out.uniform = uniform;
    assemble_operator(assembler, grid, out);
    RightHandSides b = right_hand_sides(grid, field, assembler, factors);
    if (cells.pinned && !field.in_time) {
        balance_parts(cells, b.values());
    }
    out.factors = b.factors();
    if constexpr (std::is_same_v<Real, double>) {
        out.b = std::move(b.values());
        check_range(out, out.b);
    } else {
        out.b.assign(b.values().begin(), b.values().end());
        check_range(out, b.values());
    }
    return out;
}

bool is_uniform(const Grid &grid, const Field &field, const ActiveCells &cells) {
    return Assembler(grid, field, cells).uniform();
}

}  // namespace

template <typename Real>
Discretisation<Real> discretise(const Grid &grid, const Field &field, const ActiveCells &cells) {
    return discretise_field<Real>(grid, field, cells, is_uniform(grid, field, cells), {});
}

template <typename Real>
std::vector<Discretisation<Real>> discretise(const Problem &problem, const std::vector<ActiveCells> &cells) {
    if (problem.system) {
        Discretisation<Real> none;  // its formulas are its operator
        none.stable_time_step = problem.stable_time_step;
        return std::vector<Discretisation<Real>>(problem.fields.size(), none);
    }
    bool uniform = true;
    for (std::size_t i = 0; i < problem.fields.size(); ++i) {
        uniform = uniform && is_uniform(problem.grid, problem.fields[i], cells.at(i));
    }
    std::vector<Discretisation<Real>> fields;
    std::vector<std::string> factors;
    for (std::size_t i = 0; i < problem.fields.size(); ++i) {
        fields.push_back(discretise_field<Real>(problem.grid, problem.fields[i], cells[i], uniform, factors));
        factors = fields.back().factors;
    }
    for (Discretisation<Real> &field : fields) {
        field.factors = factors;
        field.b.resize((1 + factors.size()) * static_cast<std::size_t>(problem.grid.count()), Real(0));
    }
    return fields;
}

template Discretisation<float> discretise(const Grid &, const Field &, const ActiveCells &);
template Discretisation<double> discretise(const Grid &, const Field &, const ActiveCells &);
template std::vector<Discretisation<float>> discretise(const Problem &, const std::vector<ActiveCells> &);
template std::vector<Discretisation<double>> discretise(const Problem &, const std::vector<ActiveCells> &);

}  // namespace perdure
