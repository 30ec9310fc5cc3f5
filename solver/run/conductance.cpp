#include "solver/run/conductance.hpp"

#include <algorithm>

#include "solver/problem/cell_peclet.hpp"

namespace perdure {

double harmonic(double a, double b) {
    if (a == b) {
        return a;
    }
    return a > 0.0 && b > 0.0 ? 2.0 * a * (b / (a + b)) : 0.0;
}

double side_conductance(const Side &side, double a, double spacing, std::int64_t face) {
    switch (side.kind) {
        case SideKind::value:
            return 2.0 * a / (spacing * spacing);
        case SideKind::exchange: {
            const double h = side.coefficient[face];
            return h > 0.0 && a > 0.0 ? 1.0 / ((1.0 / h + 0.5 * spacing / a) * spacing) : 0.0;
        }
        default:
            return 0.0;
    }
}

double convection_weight(const Grid &grid, const Field &field, std::int64_t cell, int axis, int upper) {
    if (!field.convective) {
        return 1.0;
    }
    const double inward = cell_peclet(grid, field, axis, cell) * (upper != 0 ? -1.0 : 1.0);
    return 1.0 + (field.convection == Convection::central ? 0.5 * inward : std::max(inward, 0.0));
}

std::int64_t side_face(const Grid &grid, int axis, const std::array<std::int64_t, 3> &cell) {
    switch (axis) {
        case 0:
            return cell[1] + grid.cells[1] * cell[2];
        case 1:
            return cell[0] + grid.cells[0] * cell[2];
        default:
            return cell[0] + grid.cells[0] * cell[1];
    }
}

}  // namespace perdure
