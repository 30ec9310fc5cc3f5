#include "solver/run/operator_in_parts.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "solver/problem/in_parallel.hpp"

namespace perdure {
namespace operator_in_parts {  // named: write_in_parts(), a template, is compiled for others, too

/// An array of the operator: which entry of a cell it has, and its part that is made at the moment.
template <typename Real>
struct ArrayInParts {
    std::size_t argument;
    Real (*entry)(const CellEntries<Real> &);
    LargeVector<Real> part;
};

template <typename Real>
std::vector<ArrayInParts<Real>> arrays_of(const OperatorOfField &of, const KernelCall &call,
                                          std::int64_t cells_of_part) {
    using Entries = CellEntries<Real>;
    const auto inverse = [](const Entries &entries) { return entries.inverse_diagonal; };
    const auto one = [](const Entries &entries) {
        return entries.inverse_diagonal != Real(0) ? Real(1) : Real(0);
    };
    const std::array<std::pair<const char *, Real (*)(const Entries &)>, 5> known{
        {{"diagonal", [](const Entries &entries) { return entries.diagonal; }},
         {"inverse_diagonal", of.is_unpreconditioned ? +one : +inverse},
         {"face_x", [](const Entries &entries) { return entries.face[0]; }},
         {"face_y", [](const Entries &entries) { return entries.face[1]; }},
         {"face_z", [](const Entries &entries) { return entries.face[2]; }}}};
    std::vector<ArrayInParts<Real>> arrays;
    for (const auto &[name, entry] : known) {
        for (std::size_t i = 0; i < call.buffers.size(); ++i) {
            if (call.buffers[i].name == of.prefix + name && call.buffers[i].as_it_stands) {
                arrays.push_back({i, entry, LargeVector<Real>(static_cast<std::size_t>(cells_of_part))});
            }
        }
    }
    return arrays;
}

}  // namespace operator_in_parts

template <typename Real>
void write_in_parts(const OperatorOfField &of, const KernelCall &call, DeviceRun &run) {
    const Assembler assembler(of.grid, of.field, of.cells, of.mass);
    const std::int64_t cells_of_row = of.grid.cells[0], rows = of.grid.cells[1] * of.grid.cells[2];
    const std::int64_t rows_of_part = std::clamp<std::int64_t>(values_of_part / cells_of_row, 1, rows);
    using operator_in_parts::ArrayInParts;
    std::vector<ArrayInParts<Real>> arrays =
        operator_in_parts::arrays_of<Real>(of, call, rows_of_part * cells_of_row);
    for (std::int64_t first = 0; first < rows; first += rows_of_part) {
        const std::int64_t count = std::min(rows_of_part, rows - first);
        const std::int64_t first_cell = first * cells_of_row;
        in_parallel(count, count * cells_of_row, [&](std::int64_t begin, std::int64_t end) {
            for_each_cell(of.grid, first + begin, first + end, [&](std::int64_t index, const Cell &cell) {
                const CellEntries<Real> entries(assembler.balance(cell));
                for (ArrayInParts<Real> &array : arrays) {
                    array.part[index - first_cell] = array.entry(entries);
                }
            });
        });
        for (const ArrayInParts<Real> &array : arrays) {
            run.write(array.argument, array.part.data(),
                      static_cast<std::size_t>(count * cells_of_row) * sizeof(Real),
                      static_cast<std::size_t>(first_cell) * sizeof(Real));
        }
    }
}

template void write_in_parts<float>(const OperatorOfField &, const KernelCall &, DeviceRun &);
template void write_in_parts<double>(const OperatorOfField &, const KernelCall &, DeviceRun &);

}  // namespace perdure
