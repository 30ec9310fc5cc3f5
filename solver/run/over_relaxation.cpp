#include "solver/run/over_relaxation.hpp"

#include <cmath>
#include <numbers>

#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure {
namespace {

double mean(const Samples &samples) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < samples.count(); ++i) {
        sum += samples[i];
    }
    return sum / static_cast<double>(samples.count());
}

/// Longest wave that fits between the sides of an axis: its phase from cell to cell.
double phase(const Grid &grid, const Field &field, int axis) {
    double anchored = 0.0;
    for (const int side : {2 * axis, 2 * axis + 1}) {
        anchored += can_fix_level(type_of(field.sides[side])) ? 0.5 : 0.0;
    }
    return anchored * std::numbers::pi / static_cast<double>(grid.cells[axis]);
}

}  // namespace

double over_relaxation(const Grid &grid, const Field &field) {
    if (field.convective) {
        return 1.0;
    }
    double neighbours = 0.0;
    double diagonal = 0.5 * mean(field.sigma);
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        const double h = grid.spacing[axis];
        const double weight = grid.cells[axis] > 1 ? mean(field.a) / (h * h) : 0.0;
        neighbours += weight * std::cos(phase(grid, field, axis));
        diagonal += weight;
    }
    const double rho = diagonal > 0.0 ? neighbours / diagonal : 0.0;
    return rho < 1.0 ? 2.0 / (1.0 + std::sqrt(1.0 - rho * rho)) : 1.5;
}

}  // namespace perdure
