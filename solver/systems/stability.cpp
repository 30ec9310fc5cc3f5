#include "solver/systems/stability.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <span>

#include "solver/systems/dependences.hpp"
#include "solver/systems/initial_values.hpp"

namespace perdure::systems {
namespace {

using Complex = std::complex<double>;

constexpr std::int64_t most_cells = 256;
constexpr double cells_at_jumps = 0.02;  // as a part of all

/// What a wave of 2, 8/3, 4 and 8 cells turns by from cell to cell, and one without end; fewer in 3D.
constexpr std::array<double, 5> quarter_turns{0.0, 0.5, 1.0, 1.5, 2.0};
constexpr std::array<double, 3> fewer_quarter_turns{0.0, 1.0, 2.0};
/// Of products of matrices' sizes, by which the number of cells is limited: about a second.
constexpr double most_work = 2.0e7;

/// Angles of the waves along each axis: all directions along axes that formulas look along, but for the opposite of each.
std::vector<std::array<double, 3>> waves(const System &system, const Grid &grid) {
    std::vector<std::array<double, 3>> angles{{0.0, 0.0, 0.0}};
    const std::span<const double> turns_of_a_wave =
        grid.dimensions == 3 ? std::span<const double>(fewer_quarter_turns) : quarter_turns;
    bool first = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (system.reach[axis] == 0 || grid.cells[axis] == 1) {
            continue;
        }
        std::vector<std::array<double, 3>> more;
        for (const std::array<double, 3> &angle : angles) {
            for (const double turns : turns_of_a_wave) {
                for (const double sign : {1.0, -1.0}) {
                    if (sign > 0.0 || (!first && turns > 0.0)) {
                        more.push_back(angle);
                        more.back()[axis] = sign * 0.5 * std::numbers::pi * turns;
                    }
                }
            }
        }
        angles = std::move(more);
        first = false;
    }
    return angles;
}

StableStep step_of_cell(const System &system, const CellContext &cell,
                        const std::vector<std::array<double, 3>> &angles, const SystemSteps &steps) {
    StableStep result{std::numeric_limits<double>::infinity()};
    const std::vector<Dependence> found = dependences(system, cell);
    const auto fields = static_cast<Eigen::Index>(system.fields.size());
    for (const std::array<double, 3> &angle : angles) {
        Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Zero(fields, fields);
        for (const Dependence &of : found) {
            const double phase = angle[0] * of.offset[0] + angle[1] * of.offset[1] + angle[2] * of.offset[2];
            matrix(of.rate, of.field) += of.slope * std::polar(1.0, phase);
        }
        const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(matrix, false);
        for (const Complex lambda : solver.eigenvalues()) {
            const double size = std::abs(lambda);
            if (!(size > 0.0) || !std::isfinite(size)) {
                continue;
            }
            result.fastest = std::max(result.fastest, size);
            const double step = steps.stable_product(lambda) / size;
            if (step < result.step) {
                result.step = step;
                result.oscillates = std::abs(lambda.real()) < 1.0e-3 * size;
            }
        }
    }
    return result;
}

struct Degree {
    int of_fields = 0;   // 0: none in it; 1: linear in them; 2: not
    bool timed = false;  // depends on time
};

Degree product_of(const Degree &a, const Degree &b) {
    // What fields are multiplied by may grow.
    const bool grows = (a.timed && b.of_fields > 0) || (b.timed && a.of_fields > 0);
    return {grows ? 2 : std::min(2, a.of_fields + b.of_fields), a.timed || b.timed};
}

Degree sum_of(const Degree &a, const Degree &b) {
    return {std::max(a.of_fields, b.of_fields), a.timed || b.timed};
}

Degree degree_of(const Term &term, const std::vector<Degree> &degrees) {
    const auto degree = [&](int k) {
        return k < arguments_of(term.operation) ? degrees[term.arguments[k]] : Degree{};
    };
    const Degree all = sum_of(sum_of(degree(0), degree(1)), degree(2));
    switch (term.operation) {
        case Operation::FIELD:
            return {1, false};
        case Operation::TIME:
            return {0, true};
        case Operation::ADD:
        case Operation::SUBTRACT:
        case Operation::NEGATE:
            return all;
        case Operation::MULTIPLY:
            return product_of(degree(0), degree(1));
        case Operation::FUSED_PRODUCT:
            return sum_of(product_of(degree(0), degree(1)), degree(2));
        case Operation::DIVIDE:
            return degree(1).of_fields > 0 ? Degree{2, all.timed} : product_of(degree(0), degree(1));
        case Operation::SELECT: {
            const Degree chosen = sum_of(degree(1), degree(2));
            return degree(0).of_fields > 0 ? Degree{2, all.timed} : product_of(degree(0), chosen);
        }
        default:
            return {all.of_fields > 0 ? 2 : 0, all.timed};
    }
}

std::vector<Degree> degrees_of(const Graph &graph) {
    std::vector<Degree> degrees;
    for (const Term &term : graph.terms()) {
        degrees.push_back(degree_of(term, degrees));
    }
    return degrees;
}

/// Cells spread over the grid, and those where a field or a coefficient is least and largest.
std::vector<std::int64_t> cells_to_look_at(const Grid &grid, const std::vector<Field> &initial,
                                           const std::vector<Samples> &coefficients, std::size_t angles) {
    const auto size = static_cast<double>(initial.size());
    const double work_of_a_cell = static_cast<double>(angles) * size * size * (size + 20.0);
    const auto spread = static_cast<std::int64_t>(
        std::clamp(most_work / work_of_a_cell, 2.0, static_cast<double>(most_cells)));
    std::vector<std::int64_t> cells;
    const std::int64_t stride = std::max<std::int64_t>(1, grid.count() / spread) | 1;  // odd: off the lines
    for (std::int64_t i = 0; i < grid.count(); i += stride) {
        cells.push_back(i);
    }
    const auto add_extremes = [&](const Samples &samples) {
        if (!samples.uniform() && size < 16.0) {
            const auto [least, largest] = std::minmax_element(samples.values.begin(), samples.values.end());
            cells.push_back(least - samples.values.begin());
            cells.push_back(largest - samples.values.begin());
        }
    };
    for (const Field &field : initial) {
        add_extremes(field.initial);
    }
    std::for_each(coefficients.begin(), coefficients.end(), add_extremes);
    return cells;
}

}  // namespace

bool is_linear(const System &system) {
    const std::vector<Degree> of_rates = degrees_of(system.rates), of_sides = degrees_of(system.sides);
    const auto is_linear_side = [&](const SystemSideTerms &side) {
        return (side.values < 0 || of_sides[side.values].of_fields < 2) &&
               (side.coefficient < 0 || of_sides[side.coefficient].of_fields == 0);
    };
    return std::all_of(system.rate_of.begin(), system.rate_of.end(),
                       [&](int rate) { return of_rates[rate].of_fields < 2; }) &&
           std::all_of(system.sides_of.begin(), system.sides_of.end(), [&](const auto &sides) {
               return std::all_of(sides.begin(), sides.end(), is_linear_side);
           });
}

StableStep stable_step(const System &system, const Grid &grid, const std::vector<Field> &initial,
                       const std::vector<Samples> &coefficients, double start_time, const SystemSteps &steps,
                       bool smallest) {
    const InitialValues values(system, grid, initial, coefficients, start_time);
    CellContext cell = values.context();
    std::vector<StableStep> of_cells;
    const std::vector<std::array<double, 3>> angles = waves(system, grid);
    std::vector<std::int64_t> looked_at = cells_to_look_at(grid, initial, coefficients, angles.size());
    const std::vector<std::int64_t> beside_sides = cells_beside_sides(system, grid);
    looked_at.insert(looked_at.end(), beside_sides.begin(), beside_sides.end());
    for (const std::int64_t i : looked_at) {
        cell.cell = {i % grid.cells[0], i / grid.cells[0] % grid.cells[1], i / grid.cells[0] / grid.cells[1]};
        of_cells.push_back(step_of_cell(system, cell, angles, steps));
    }
    const bool linear = is_linear(system);
    const std::size_t place =
        linear || smallest ? 0
                           : static_cast<std::size_t>(cells_at_jumps * static_cast<double>(of_cells.size()));
    std::nth_element(of_cells.begin(), of_cells.begin() + static_cast<std::ptrdiff_t>(place), of_cells.end(),
                     [](const StableStep &one, const StableStep &other) { return one.step < other.step; });
    StableStep result = of_cells[place];
    result.linear = linear;
    return result;
}

}  // namespace perdure::systems
