#include "solver/run/over_relaxation.hpp"

#include <cmath>
#include <numbers>

namespace perdure {
namespace {

double mean(const Samples &samples) {
    double sum = 0.0;
    for (const double value : samples.values) {
        sum += value;
    }
    return sum / static_cast<double>(samples.values.size());
}

/// Longest wave that fits between the sides of an axis: its phase from cell to cell.
double phase(const Problem &problem, int axis) {
    double anchored = 0.0;
    for (const int side : {2 * axis, 2 * axis + 1}) {
        const SideKind kind = problem.sides[side].kind;
        anchored += kind == SideKind::value || kind == SideKind::exchange ? 0.5 : 0.0;
    }
    return anchored * std::numbers::pi / static_cast<double>(problem.grid.cells[axis]);
}

}  // namespace

double over_relaxation(const Problem &problem) {
    if (problem.convective) {
        return 1.0;
    }
    double neighbours = 0.0;
    double diagonal = 0.5 * mean(problem.sigma);
    for (int axis = 0; axis < problem.grid.dimensions; ++axis) {
        const double h = problem.grid.spacing[axis];
        const double weight = problem.grid.cells[axis] > 1 ? mean(problem.a) / (h * h) : 0.0;
        neighbours += weight * std::cos(phase(problem, axis));
        diagonal += weight;
    }
    const double rho = diagonal > 0.0 ? neighbours / diagonal : 0.0;
    return rho < 1.0 ? 2.0 / (1.0 + std::sqrt(1.0 - rho * rho)) : 1.5;
}

}  // namespace perdure
