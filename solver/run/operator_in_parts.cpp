#include "solver/run/operator_in_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "solver/problem/in_parallel.hpp"

namespace perdure {
namespace {

/// Where the call has an argument of that name that is to be written; empty: it has none.
std::optional<std::size_t> place_of(const KernelCall &call, const std::string &name) {
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
        if (call.buffers[i].name == name && call.buffers[i].as_it_stands) {
            return i;
        }
    }
    return std::nullopt;
}

}  // namespace

template <typename Real>
void write_in_parts(const OperatorOfField &of, const KernelCall &call, DeviceRun &run) {
    const Assembler assembler(of.grid, of.field, of.cells, of.mass);
    const std::int64_t cells_of_row = of.grid.cells[0], rows = of.grid.cells[1] * of.grid.cells[2];
    const std::int64_t rows_of_part = std::clamp<std::int64_t>(values_of_part / cells_of_row, 1, rows);
    constexpr std::array names{"diagonal", "inverse_diagonal", "face_x", "face_y", "face_z"};
    std::array<LargeVector<Real>, names.size()> parts;
    for (LargeVector<Real> &part : parts) {
        part.resize(static_cast<std::size_t>(rows_of_part * cells_of_row));
    }
    const std::array<Real *, names.size()> to{parts[0].data(), parts[1].data(), parts[2].data(),
                                              parts[3].data(), parts[4].data()};
    for (std::int64_t first = 0; first < rows; first += rows_of_part) {
        const std::int64_t count = std::min(rows_of_part, rows - first);
        const std::int64_t first_cell = first * cells_of_row;
        in_parallel(count, count * cells_of_row, [&](std::int64_t begin, std::int64_t end) {
            for_each_cell(of.grid, first + begin, first + end, [&](std::int64_t index, const Cell &cell) {
                const CellEntries<Real> entries(assembler.balance(cell));
                const Real inverse = entries.inverse_diagonal;
                const std::int64_t place = index - first_cell;
                to[0][place] = entries.diagonal;
                to[1][place] = !of.is_unpreconditioned ? inverse : inverse != Real(0) ? Real(1) : Real(0);
                to[2][place] = entries.face[0];
                to[3][place] = entries.face[1];
                to[4][place] = entries.face[2];
            });
        });
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (const auto argument = place_of(call, of.prefix + names[i])) {
                run.write(*argument, parts[i].data(),
                          static_cast<std::size_t>(count * cells_of_row) * sizeof(Real),
                          static_cast<std::size_t>(first_cell) * sizeof(Real));
            }
        }
    }
}

template void write_in_parts<float>(const OperatorOfField &, const KernelCall &, DeviceRun &);
template void write_in_parts<double>(const OperatorOfField &, const KernelCall &, DeviceRun &);

}  // namespace perdure
