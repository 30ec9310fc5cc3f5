#include "solver/run/discretise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
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

/// Of an operator that is not uniform. What an axis that the grid does not have stands for is a single 0.
template <typename Real>
void resize_fields(const Grid &grid, Discretisation<Real> &out) {
    const auto cells = static_cast<std::size_t>(grid.count());
    const bool by_labels = out.labels.count > 0;
    if (!out.in_parts) {
        out.inverse_diagonal.resize(cells);
        out.labels.of_cell.resize(by_labels ? cells : 0);
        out.diagonal.resize(by_labels ? 0 : cells);
    }
    for (int axis = 0; axis < 3 && !by_labels; ++axis) {
        const bool is_there = axis < grid.dimensions;
        if (!is_there || !out.in_parts) {
            const std::size_t count = is_there ? cells : 1;
            out.face[axis] = filled_vector(count, Real(0));
            out.across[axis] = filled_vector(out.convective ? count : 0, Real(0));
        }
    }
}

/// `entries`: of the cell.
template <typename Real>
void keep_entries(const Assembler &assembler, std::int64_t index, const Cell &cell,
                  const CellEntries<Real> &entries, Discretisation<Real> &out) {
    out.inverse_diagonal[index] = entries.inverse_diagonal;
    if (out.labels.count > 0) {
        out.labels.of_cell[index] =
            entries.takes_part ? label_of(out.labels.coefficients, assembler.a(index)) : std::uint8_t{0};
        return;
    }
    out.diagonal[index] = entries.diagonal;
    for (int axis = 0; axis < assembler.dimensions(); ++axis) {
        out.face[axis][index] = entries.face[axis];
        if (out.convective) {
            out.across[axis][index] = static_cast<Real>(assembler.from_below(cell, axis));
        }
    }
}

template <typename Real>
void assemble_operator(const Assembler &assembler, const Grid &grid, Discretisation<Real> &out) {
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
        resize_fields(grid, out);
        std::mutex lock;
        const std::int64_t rows = grid.cells[1] * grid.cells[2];
        in_parallel(rows, grid.count(), [&](std::int64_t begin, std::int64_t end) {
            Spectrum of_rows;
            EntriesSurvey survey;
            for_each_cell(grid, begin, end, [&](std::int64_t index, const Cell &cell) {
                const CellBalance balance = assembler.balance(cell);
                const CellEntries<Real> entries(balance);
                of_rows.add(balance, assembler.capacity(index));
                if (by_labels) {
                    survey.take_inverse(entries);
                } else {
                    survey.take(entries, grid.dimensions);
                }
                for (int axis = 0; axis < grid.dimensions && out.convective; ++axis) {
                    survey.finite = survey.finite && std::isfinite(static_cast<Real>(balance.upper[axis]));
                }
                if (!out.in_parts) {
                    keep_entries(assembler, index, cell, entries, out);
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

/// b, and c where it varies.
template <typename Real>
void keep_values(const RightHandSides &b, const Field &field, std::int64_t cells, Discretisation<Real> &out) {
    out.b.resize(b.rows() * static_cast<std::size_t>(cells));
    out.capacity.resize(out.varied_capacity ? static_cast<std::size_t>(cells) : 0);
    for (std::size_t row = 0; row < b.rows(); ++row) {
        in_parallel(cells, [&](std::int64_t begin, std::int64_t end) {
            b.fill<Real>(row, begin, out.b.data() + static_cast<std::int64_t>(row) * cells + begin,
                         end - begin);
        });
    }
    in_parallel(std::ssize(out.capacity), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            out.capacity[i] = static_cast<Real>(field.capacity[i]);
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
    out.in_parts = storage == OperatorStorage::in_parts;
    out.convective = assembler.convective();
    out.varied_capacity = !field.capacity.uniform();
    if (by_labels && !uniform) {
        out.labels.coefficients = coefficients_of_labels(field.a);
        out.labels.table = label_table<Real>(grid, field.sides, equal_along_axes(out.labels.coefficients),
                                             SidesRounded::at_the_end);
        out.labels.count = static_cast<std::uint32_t>(out.labels.coefficients.size() + 1);
    }
    assemble_operator(assembler, grid, out);
    const RightHandSides b(grid, field, cells, assembler, factors);
    out.factors = b.factors();
    out.b_survey = b.survey<Real>();
    if (!out.in_parts) {
        keep_values(b, field, grid.count(), out);
    }
    check_range(out);
    return out;
}

bool is_uniform(const Grid &grid, const Field &field, const ActiveCells &cells) {
    return Assembler(grid, field, cells).uniform();
}

}  // namespace

template <typename Real>
Discretisation<Real> discretise(const Grid &grid, const Field &field, const ActiveCells &cells,
                                OperatorStorage storage) {
    return discretise_field<Real>(grid, field, cells, is_uniform(grid, field, cells), false, {}, 0.0,
                                  storage);
}

template <typename Real>
std::vector<Discretisation<Real>> discretise(const Problem &problem, const std::vector<ActiveCells> &cells,
                                             bool by_labels, double mass, OperatorStorage storage) {
    if (problem.system) {
        Discretisation<Real> none;  // its formulas are its operator
        none.stable_time_step = problem.stable_time_step;
        none.in_parts = storage == OperatorStorage::in_parts;
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
        if (!field.in_parts) {
            field.b.resize((1 + factors.size()) * static_cast<std::size_t>(problem.grid.count()), Real(0));
        }
    }
    return fields;
}

template Discretisation<float> discretise(const Grid &, const Field &, const ActiveCells &, OperatorStorage);
template Discretisation<double> discretise(const Grid &, const Field &, const ActiveCells &, OperatorStorage);
template std::vector<Discretisation<float>> discretise(const Problem &, const std::vector<ActiveCells> &,
                                                       bool, double, OperatorStorage);
template std::vector<Discretisation<double>> discretise(const Problem &, const std::vector<ActiveCells> &,
                                                        bool, double, OperatorStorage);

}  // namespace perdure
