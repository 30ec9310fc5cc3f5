#include "solver/run/operator_in_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "solver/problem/in_parallel.hpp"
#include "solver/run/initial_values.hpp"
#include "solver/run/right_hand_sides.hpp"

namespace perdure {
namespace {

/// Where the call has an argument of that name that is to be written; empty: it has none.
std::optional<std::size_t> place_of(const KernelCall &call, const std::string &name) {
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
        if (call.buffers[i].name == name && call.buffers[i].as_it_stands && call.buffers[i].bytes > 0) {
            return i;
        }
    }
    return std::nullopt;
}

/// An argument with a value for each cell, of which the host has some rows; none: the call has no such argument.
template <typename Number>
class ArrayInParts {
  public:
    ArrayInParts(const KernelCall &call, const std::string &name, std::int64_t values_at_once)
        : place_(place_of(call, name)), part_(place_ ? static_cast<std::size_t>(values_at_once) : 0) {}

    /// Null where there is no such argument.
    [[nodiscard]] Number *data() { return place_ ? part_.data() : nullptr; }
    void write(std::int64_t first, std::int64_t count, DeviceRun &run) const {
        if (place_) {
            run.write(*place_, part_.data(), static_cast<std::size_t>(count) * sizeof(Number),
                      static_cast<std::size_t>(first) * sizeof(Number));
        }
    }

  private:
    std::optional<std::size_t> place_;
    LargeVector<Number> part_;
};

/// What the arguments of a call hold of arrays of so many cells, at most so many of them at once.
std::vector<CellRange> pieces_in(const KernelCall &call, std::int64_t cells, std::int64_t at_once) {
    const std::vector<CellRange> all{{0, cells}};
    std::vector<CellRange> pieces;
    for (const CellRange &range : call.held_cells.empty() ? all : call.held_cells) {
        for (std::int64_t done = 0; done < range.count; done += at_once) {
            pieces.push_back({range.first + done, std::min(at_once, range.count - done)});
        }
    }
    return pieces;
}

/// What make(first, to, count) makes, for cells from `first` on and in several threads, to an argument behind `offset` bytes.
template <typename Real, typename Make>
void write_values(std::int64_t cells, const KernelCall &call, std::size_t argument, std::size_t offset,
                  DeviceRun &run, const Make &make) {
    const std::int64_t at_once = values_of_single_part(cells);
    LargeVector<Real> part(static_cast<std::size_t>(at_once));
    for (const CellRange &piece : pieces_in(call, cells, at_once)) {
        in_parallel(piece.count, [&](std::int64_t begin, std::int64_t end) {
            make(piece.first + begin, part.data() + begin, end - begin);
        });
        run.write(argument, part.data(), static_cast<std::size_t>(piece.count) * sizeof(Real),
                  offset + static_cast<std::size_t>(piece.first) * sizeof(Real));
    }
}

}  // namespace

template <typename Real>
void write_operator(const FieldInParts &of, const std::vector<double> &coefficients, const KernelCall &call,
                    DeviceRun &run) {
    const Assembler assembler(of.grid, of.field, of.cells, of.mass);
    const std::int64_t cells_of_row = of.grid.cells[0], rows = of.grid.cells[1] * of.grid.cells[2];
    const std::int64_t rows_of_part =
        std::clamp<std::int64_t>(values_of_part(of.grid.count()) / cells_of_row, 1, rows);
    ArrayInParts<std::uint8_t> labels(call, "labels", rows_of_part * cells_of_row);
    std::uint8_t *const label = labels.data();
    constexpr std::array names{"diagonal", "inverse_diagonal", "face_x",   "face_y",
                               "face_z",   "across_x",         "across_y", "across_z"};
    enum Place : std::size_t { of_diagonal, of_inverse, of_face, of_across = of_face + 3 };
    std::vector<ArrayInParts<Real>> arrays;
    arrays.reserve(names.size());
    std::array<Real *, names.size()> to{};
    for (const char *const name : names) {
        arrays.emplace_back(call, of.prefix + name, rows_of_part * cells_of_row);
        to[arrays.size() - 1] = arrays.back().data();
    }
    for (const auto &[first_cell, cells] : pieces_in(call, of.grid.count(), rows_of_part * cells_of_row)) {
        const std::int64_t first = first_cell / cells_of_row, count = cells / cells_of_row;
        constexpr std::int64_t effort = 4;  // of a cell: a dozen quotients
        in_parallel(
            count, effort * cells, [&, first_cell = first_cell](std::int64_t begin, std::int64_t end) {
                for_each_cell(of.grid, first + begin, first + end, [&](std::int64_t index, const Cell &cell) {
                    const CellEntries<Real> entries(assembler.balance(cell));
                    const Real inverse = entries.inverse_diagonal;
                    const std::int64_t place = index - first_cell;
                    const auto put = [&](std::size_t array, Real value) {
                        if (to[array] != nullptr) {
                            to[array][place] = value;
                        }
                    };
                    if (label != nullptr) {
                        label[place] =
                            entries.takes_part ? label_of(coefficients, assembler.a(index)) : std::uint8_t{0};
                    }
                    put(of_diagonal, entries.diagonal);
                    put(of_inverse, !of.is_unpreconditioned ? inverse
                                    : inverse != Real(0)    ? Real(1)
                                                            : Real(0));
                    for (int axis = 0; axis < of.grid.dimensions; ++axis) {
                        put(of_face + axis, entries.face[axis]);
                        if (to[of_across + axis] != nullptr) {
                            put(of_across + axis, static_cast<Real>(assembler.from_below(cell, axis)));
                        }
                    }
                });
            });
        labels.write(first_cell, cells, run);
        for (const ArrayInParts<Real> &array : arrays) {
            array.write(first_cell, cells, run);
        }
    }
}

template <typename Real>
void write_right_hand_sides(const FieldInParts &of, const std::string &name,
                            const std::vector<std::string> &factors, const KernelCall &call, DeviceRun &run) {
    const Assembler assembler(of.grid, of.field, of.cells, of.mass);
    const std::int64_t cells = of.grid.count();
    if (const auto argument = place_of(call, of.prefix + name)) {
        const RightHandSides b(of.grid, of.field, of.cells, assembler, factors);
        for (std::size_t row = 0; row < b.rows(); ++row) {
            write_values<Real>(
                cells, call, *argument, row * static_cast<std::size_t>(cells) * sizeof(Real), run,
                [&](std::int64_t first, Real *to, std::int64_t count) { b.fill(row, first, to, count); });
        }
    }
    if (const auto argument = place_of(call, of.prefix + "capacity")) {
        write_values<Real>(cells, call, *argument, 0, run,
                           [&](std::int64_t first, Real *to, std::int64_t count) {
                               for (std::int64_t i = 0; i < count; ++i) {
                                   to[i] = static_cast<Real>(of.field.capacity[first + i]);
                               }
                           });
    }
}

template <typename Real>
void write_initial(const FieldInParts &of, bool left_out, const KernelCall &call, std::size_t argument,
                   std::size_t offset, DeviceRun &run) {
    if (begins_with_zeros(of.field)) {
        return;
    }
    write_values<Real>(of.grid.count(), call, argument, offset, run,
                       [&](std::int64_t first, Real *to, std::int64_t count) {
                           for (std::int64_t i = 0; i < count; ++i) {
                               to[i] = initial_value<Real>(of.field, of.cells, first + i, left_out);
                           }
                       });
}

#define PERDURE_IN_PARTS(Real)                                                                       \
    template void write_operator<Real>(const FieldInParts &, const std::vector<double> &,            \
                                       const KernelCall &, DeviceRun &);                             \
    template void write_right_hand_sides<Real>(const FieldInParts &, const std::string &,            \
                                               const std::vector<std::string> &, const KernelCall &, \
                                               DeviceRun &);                                         \
    template void write_initial<Real>(const FieldInParts &, bool, const KernelCall &, std::size_t,   \
                                      std::size_t, DeviceRun &);
PERDURE_IN_PARTS(float)
PERDURE_IN_PARTS(double)
#undef PERDURE_IN_PARTS

}  // namespace perdure
