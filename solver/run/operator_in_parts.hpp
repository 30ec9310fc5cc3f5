// Gives the device an operator that the host does not keep (Discretisation::in_parts).
#pragma once

#include <string>

#include "solver/backends/backend.hpp"
#include "solver/run/discretise.hpp"

namespace perdure {

/// Values of an array of the operator that the host makes at once.
inline constexpr std::int64_t values_of_part = 1 << 19;

struct OperatorOfField {
    const Grid &grid;
    const Field &field;
    const ActiveCells &cells;
    double mass = 0.0;                 // m of L + m c
    bool is_unpreconditioned = false;  // 1 stands in place of the inverse diagonal
    std::string prefix;                // of the names of its arguments
};

/// Computes the entries row by row and writes those that `call` has arguments for. The bits are those of discretise().
template <typename Real>
void write_in_parts(const OperatorOfField &of, const KernelCall &call, DeviceRun &run);

extern template void write_in_parts<float>(const OperatorOfField &, const KernelCall &, DeviceRun &);
extern template void write_in_parts<double>(const OperatorOfField &, const KernelCall &, DeviceRun &);

}  // namespace perdure
