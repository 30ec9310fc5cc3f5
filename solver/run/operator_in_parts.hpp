// Gives the device what has a value for each cell and the host does not keep (Discretisation::in_parts).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/run/discretise.hpp"

namespace perdure {

/// Values of each array of the operator that the host makes at once: all arrays together then take a part of the memory that one takes as a
/// whole.
inline std::int64_t values_of_part(std::int64_t cells) {
    constexpr std::int64_t parts = 32, least = 1 << 16, most = 1 << 19;
    return std::min(cells, std::clamp((cells + parts - 1) / parts, least, most));
}

/// Of the other arrays, which it makes one after the other: as copies to a device are faster the larger they are.
inline std::int64_t values_of_single_part(std::int64_t cells) {
    constexpr std::int64_t parts = 8, least = 1 << 16, most = 1 << 24;
    return std::min(cells, std::clamp((cells + parts - 1) / parts, least, most));
}

struct FieldInParts {
    const Grid &grid;
    const Field &field;
    const ActiveCells &cells;
    double mass = 0.0;                 // m of L + m c
    bool is_unpreconditioned = false;  // 1 stands in place of the inverse diagonal
    std::string prefix = {};           // of the names of its arguments
};

/// Computes the entries of the operator row by row and writes those that `call` has arguments for; labels in place of diagonal and faces where
/// there are `coefficients` of labels. The bits are those of discretise().
template <typename Real>
void write_operator(const FieldInParts &of, const std::vector<double> &coefficients, const KernelCall &call,
                    DeviceRun &run);

/// The same of b, which is called `name`, in a row for what is constant and one for each of the factors; and of c where it varies.
template <typename Real>
void write_right_hand_sides(const FieldInParts &of, const std::string &name,
                            const std::vector<std::string> &factors, const KernelCall &call, DeviceRun &run);

/// The initial values to an argument, behind so many bytes of it: in cells that are left out 0, or where `left_out` says so what they have in
/// the case. Nothing where they are zeros everywhere, which the argument has.
template <typename Real>
void write_initial(const FieldInParts &of, bool left_out, const KernelCall &call, std::size_t argument,
                   std::size_t offset, DeviceRun &run);

#define PERDURE_IN_PARTS(Real)                                                                              \
    extern template void write_operator<Real>(const FieldInParts &, const std::vector<double> &,            \
                                              const KernelCall &, DeviceRun &);                             \
    extern template void write_right_hand_sides<Real>(const FieldInParts &, const std::string &,            \
                                                      const std::vector<std::string> &, const KernelCall &, \
                                                      DeviceRun &);                                         \
    extern template void write_initial<Real>(const FieldInParts &, bool, const KernelCall &, std::size_t,   \
                                             std::size_t, DeviceRun &);
PERDURE_IN_PARTS(float)
PERDURE_IN_PARTS(double)
#undef PERDURE_IN_PARTS

}  // namespace perdure
