#include "solver/run/conductance.hpp"

#include <algorithm>
#include <cmath>

#include "solver/problem/cell_peclet.hpp"

namespace perdure {

namespace {

/// The condition and half a cell in series, per volume.
double conductance_of(const FaceCondition &condition, double a, double spacing) {
    if (std::isinf(condition.coefficient)) {
        return 2.0 * a / (spacing * spacing);
    }
    return condition.coefficient > 0.0 && a > 0.0
               ? 1.0 / ((1.0 / condition.coefficient + 0.5 * spacing / a) * spacing)
               : 0.0;
}

/// Part of the condition's flux that enters the cell: its coefficient draws the rest back.
double transmitted(const FaceCondition &condition, double a, double spacing) {
    return condition.fixes_level() ? 1.0 / (1.0 + 0.5 * spacing * condition.coefficient / a) : 1.0;
}

}  // namespace

SideInflow side_inflow(const FaceCondition &condition, double a, double spacing) {
    return {conductance_of(condition, a, spacing), condition.level,
            transmitted(condition, a, spacing) / spacing, condition.flux};
}

double side_conductance(const Side &side, double a, double spacing, std::int64_t face) {
    return conductance_of(face_condition(side, face), a, spacing);
}

double inward_flux(const FaceCondition &condition, double a, double spacing, double u) {
    if (!condition.fixes_level()) {
        return condition.flux;
    }
    const double through = conductance_of(condition, a, spacing) * spacing * (condition.level - u);
    return condition.flux != 0.0 ? through + transmitted(condition, a, spacing) * condition.flux : through;
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
