#include "solver/run/discretise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/problem/in_parallel.hpp"
#include "solver/run/check_range.hpp"
#include "solver/run/operator_rows.hpp"
#include "solver/run/right_hand_sides.hpp"

#include <fmt/format.h>

namespace perdure {

namespace {

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

    void add(const CellBalance &balance, double capacity) {
        largest_row = std::max(largest_row, (balance.size + balance.faces) / capacity);
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
void resize_fields(const Grid &grid, bool convective, Discretisation<Real> &out) {
    const auto cells = static_cast<std::size_t>(grid.count());
    out.diagonal.resize(cells);
    out.inverse_diagonal.resize(cells);
    for (int axis = 0; axis < 3; ++axis) {
        const bool is_there = axis < grid.dimensions;
        if (is_there) {
            out.face[axis].resize(cells);
        }
        if (convective) {
            out.across[axis] = filled_vector(is_there ? cells : 1, Real(0));
        }
    }
}

/// `coefficients`: of labels, where there are any.
template <typename Real>
void assemble_operator(const Assembler &assembler, const Grid &grid, const std::vector<double> &coefficients,
                       Discretisation<Real> &out) {
    const bool by_labels = out.labels.count > 0;
    Spectrum all;
    if (out.uniform) {
        out.diagonal.assign(64, Real(0));
        out.inverse_diagonal.assign(64, Real(0));
        for (int axis = 0; axis < 3; ++axis) {
            const double h = grid.spacing[axis];
            const double t = axis < grid.dimensions ? assembler.scale() * (assembler.a(0) / (h * h)) : 0.0;
            out.face[axis].assign(64, static_cast<Real>(assembler.weight(0, axis, 0) * t));
            if (assembler.convective()) {
                out.across[axis].assign(1, static_cast<Real>(assembler.weight(0, axis, 1) * t));
            }
        }
        for_each_position(grid, assembler, [&](int place, const Cell &cell) {
            const CellBalance balance = assembler.balance(cell);
            const CellEntries<Real> entries(balance);
            out.diagonal[place] = entries.diagonal;
            out.inverse_diagonal[place] = entries.inverse_diagonal;
            all.add(balance, 1.0);
        });
    } else {
        const auto cells = static_cast<std::size_t>(grid.count());
        if (by_labels) {
            out.labels.of_cell.resize(cells);
            out.inverse_diagonal.resize(cells);
        } else if (!out.in_parts) {
            resize_fields(grid, assembler.convective(), out);
        }
        if (!by_labels && grid.dimensions < 3) {
            out.face[2].assign(1, Real(0));
        }
        std::mutex lock;
        const std::int64_t rows = grid.cells[1] * grid.cells[2];
        in_parallel(rows, grid.count(), [&](std::int64_t begin, std::int64_t end) {
            Spectrum of_rows;
            EntriesSurvey survey;
            for_each_cell(grid, begin, end, [&](std::int64_t index, const Cell &cell) {
                const CellBalance balance = assembler.balance(cell);
                const CellEntries<Real> entries(balance);
                of_rows.add(balance, assembler.capacity(index));
                if (out.in_parts) {
                    survey.take(entries, grid.dimensions);
                    return;
                }
                out.inverse_diagonal[index] = entries.inverse_diagonal;
                if (by_labels) {
                    out.labels.of_cell[index] =
                        balance.size > 0.0 ? label_of(coefficients, assembler.a(index)) : std::uint8_t{0};
                    return;
                }
                out.diagonal[index] = entries.diagonal;
                for (int axis = 0; axis < grid.dimensions; ++axis) {
                    out.face[axis][index] = entries.face[axis];
                    if (assembler.convective() && balance.upper[axis] != 0.0) {
                        out.across[axis][assembler.above(cell, axis)] =
                            static_cast<Real>(balance.upper[axis]);
                    }
                }
            });
            const std::lock_guard hold(lock);
            all.add(of_rows);
            out.survey.take(survey);
        });
    }
    out.spectrum_top = all.top;
    out.stable_time_step =
        all.largest_row > 0.0 ? 2.0 / all.largest_row : std::numeric_limits<double>::infinity();
}

/// A domain where nothing fixes the level of u: what rounding left of the balance of each connected part is
/// spread over it.
void balance_parts(const ActiveCells &cells, std::int64_t count_of_cells, LargeVector<double> &b) {
    std::vector<double> sum(static_cast<std::size_t>(cells.parts), 0.0);
    std::vector<double> count(sum.size(), 0.0);
    for (std::int64_t i = 0; i < count_of_cells; ++i) {  // one after the other: the bits depend on the order
        if (const std::int32_t part = cells.part_of(i); part >= 0) {
            sum[part] += b[i];
            count[part] += 1.0;
        }
    }
    in_parallel(count_of_cells, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            if (const std::int32_t part = cells.part_of(i); part >= 0) {
                b[i] -= sum[part] / count[part];
            }
        }
    });
}

/// `factors`: those that the fields before it have.
template <typename Real>
Discretisation<Real> discretise_field(const Grid &grid, const Field &field, const ActiveCells &cells,
                                      bool uniform, bool by_labels, const std::vector<std::string> &factors,
                                      double mass, OperatorStorage storage) {
    const Assembler assembler(grid, field, cells, mass);
    Discretisation<Real> out;
    out.uniform = uniform;
    out.in_parts = storage == OperatorStorage::in_parts && !uniform && !by_labels && !assembler.convective();
    if (!field.capacity.uniform()) {
        out.capacity.resize(field.capacity.values.size());
        std::transform(field.capacity.values.begin(), field.capacity.values.end(), out.capacity.begin(),
                       [](double c) { return static_cast<Real>(c); });
    }
    std::vector<double> coefficients;
    if (by_labels && !uniform) {
        coefficients = coefficients_of_labels(field.a);
        out.labels.table =
            label_table<Real>(grid, field.sides, equal_along_axes(coefficients), SidesRounded::at_the_end);
        out.labels.count = static_cast<std::uint32_t>(coefficients.size() + 1);
    }
    assemble_operator(assembler, grid, coefficients, out);
    RightHandSides b(grid, field, assembler, factors);
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        b.add_side(side);
    }
    if (cells.pinned && !field.in_time) {
        balance_parts(cells, grid.count(), b.values());
    }
    out.factors = b.factors();
    if constexpr (std::is_same_v<Real, double>) {
        out.b = std::move(b.values());
        check_range(out, out.b);
    } else {
        out.b.resize(b.values().size());
        in_parallel(static_cast<std::int64_t>(out.b.size()), [&](std::int64_t begin, std::int64_t end) {
            std::copy(b.values().begin() + begin, b.values().begin() + end, out.b.begin() + begin);
        });
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
    return discretise_field<Real>(grid, field, cells, is_uniform(grid, field, cells), false, {}, 0.0,
                                  OperatorStorage::whole);
}

template <typename Real>
std::vector<Discretisation<Real>> discretise(const Problem &problem, const std::vector<ActiveCells> &cells,
                                             bool by_labels, double mass, OperatorStorage storage) {
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
        fields.push_back(discretise_field<Real>(problem.grid, problem.fields[i], cells[i], uniform, by_labels,
                                                factors, mass, storage));
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
template std::vector<Discretisation<float>> discretise(const Problem &, const std::vector<ActiveCells> &,
                                                       bool, double, OperatorStorage);
template std::vector<Discretisation<double>> discretise(const Problem &, const std::vector<ActiveCells> &,
                                                        bool, double, OperatorStorage);

}  // namespace perdure
