// The conductance between a cell and its neighbours and sides.
#pragma once

#include <array>
#include <cstdint>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// 1 / c where c is the same everywhere: the equation is divided by it. Else 1.
inline double capacity_scale(const Field &field) {
    return field.capacity.uniform() ? 1.0 / field.capacity[0] : 1.0;
}

/// Harmonic mean; harmonic(0, 0) = 0.
inline double harmonic(double a, double b) {
    if (a == b) {
        return a;
    }
    return a > 0.0 && b > 0.0 ? 2.0 * a * (b / (a + b)) : 0.0;
}

/// What enters a cell through a face of its side, per volume, with the value at the face eliminated:
/// conductance (level - u) + flux_weight flux, u at the centre of the cell.
struct SideInflow {
    double conductance = 0.0;
    double level = 0.0;
    double flux_weight = 0.0;
    double flux = 0.0;
};

/// Of a cell of coefficient a.
SideInflow side_inflow(const FaceCondition &condition, double a, double spacing);

/// Conductance per volume between a cell of coefficient a and its side: 0 for flux and periodic sides. `face`
/// indexes the side's samples.
double side_conductance(const Side &side, double a, double spacing, std::int64_t face);

/// Inward flux through a face of a side, from u at the centre of a cell of coefficient a.
double inward_flux(const FaceCondition &condition, double a, double spacing, double u);

/// What v . grad u makes of the conductance through a cell's face: m of kernels/operator.h, 1 without a
/// velocity. `upper`: 1 for the face towards larger coordinates.
double convection_weight(const Grid &grid, const Field &field, std::int64_t cell, int axis, int upper);

/// Index of the face of side 2 axis (+ 1) that a cell (x, y, z) would touch, in the order of Side.
std::int64_t side_face(const Grid &grid, int axis, const std::array<std::int64_t, 3> &cell);

}  // namespace perdure
