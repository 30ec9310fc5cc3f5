#include "solver/run/accuracy_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/equations/equation.hpp"
#include "solver/run/discretise.hpp"

namespace perdure {
namespace {

double largest(const Samples &samples) {
    double found = 0.0;
    for (const double value : samples.values) {
        found = std::max(found, std::abs(value));
    }
    return found;
}

/// Smallest eigenvalue of -div(a grad) + sigma in the box, a and sigma at their means.
double smallest_eigenvalue(const Grid &grid, const Field &field) {
    double a = 0.0;
    for (std::int64_t i = 0; i < field.a.count(); ++i) {
        a += field.a[i] / static_cast<double>(field.a.count());
    }
    double eigenvalue = field.sigma.uniform() ? field.sigma[0] : 0.0;
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        const auto anchored = [&](int upper) {
            return can_fix_level(type_of(field.sides[2 * axis + upper])) ? 1.0 : 0.0;
        };
        const double length = grid.spacing[axis] * static_cast<double>(grid.cells[axis]);
        const double wave = 0.5 * (anchored(0) + anchored(1)) * std::numbers::pi / length;
        eigenvalue += a * wave * wave;
    }
    return eigenvalue;
}

}  // namespace

RoundingFloor estimate_floor(const Grid &grid, const Field &field, const ActiveCells &cells,
                             Precision precision) {
    const Discretisation<double> operator_and_b =
        discretise<double>(grid, field, cells, OperatorStorage::in_parts);
    double size = 0.0;
    for (const Side &side : field.sides) {
        for (std::int64_t face = 0; face < distinct_faces(side); ++face) {
            size = std::max(size, std::abs(face_condition(side, face).level));
        }
    }
    const double eigenvalue = smallest_eigenvalue(grid, field);
    if (eigenvalue > 0.0) {
        size += largest(field.f) / eigenvalue;
    }
    double smallest = operator_and_b.survey.smallest_inverse;
    for (const double inverse : operator_and_b.inverse_diagonal) {
        smallest = inverse > 0.0 ? std::min(smallest, inverse) : smallest;
    }
    const double diagonal = std::isfinite(smallest) ? 1.0 / smallest : 0.0;
    const double b_norm = operator_and_b.b_survey.l2;
    const double epsilon = precision == Precision::float32
                               ? static_cast<double>(std::numeric_limits<float>::epsilon())
                               : std::numeric_limits<double>::epsilon();
    const double unknowns = static_cast<double>(grid.count() - cells.excluded);
    return {b_norm > 0.0 ? epsilon * diagonal * size * std::sqrt(unknowns) / b_norm : 0.0, b_norm};
}

std::string warn_of_rounding(const Config &config, const Problem &problem,
                             const std::vector<ActiveCells> &cells) {
    constexpr std::int64_t most_cells = 1 << 22;
    constexpr double always_reached = 1.0e-9;  // in float64
    constexpr double margin = 3.0;             // of an estimate
    const SolverConfig &solver = config.solver;
    const Precision precision = field_precision(config.execution.precision);
    if (is_in_time(config) || problem.grid.count() > most_cells ||
        (precision == Precision::float64 && solver.rtol > always_reached)) {
        return {};
    }
    const Field &field = problem.fields.front();
    const RoundingFloor floor =
        estimate_floor(problem.grid, field,
                       cells.empty() ? find_active_cells(problem.grid, field) : cells.front(), precision);
    const double asked = std::max(solver.rtol * floor.right_hand_side, solver.atol);
    if (margin * asked >= floor.relative * floor.right_hand_side) {
        return {};
    }
    const double reached = std::pow(10.0, std::ceil(std::log10(margin * floor.relative)));
    return fmt::format(
        "solver.rtol: {:.1e} is below what rounding in {} lets the residual reach here, about {:.0e} of the "
        "right-hand side; the run may end with 'accuracy limit'; if it does, take rtol: {:.0e}{}",
        solver.rtol, name(precision), floor.relative, reached,
        precision == Precision::float32 ? ", or execution.precision: float64" : "");
}

}  // namespace perdure
