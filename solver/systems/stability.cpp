#include "solver/systems/stability.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "solver/systems/dependences.hpp"
#include "solver/systems/initial_values.hpp"
#include "solver/systems/stability_samples.hpp"

namespace perdure::systems {
namespace {

using Complex = std::complex<double>;

StableStep step_of_cell(const System &system, const CellContext &cell,
                        const std::vector<std::array<double, 3>> &angles, const SystemSteps &steps) {
    StableStep result{std::numeric_limits<double>::infinity()};
    const std::vector<Dependence> found = dependences(system, cell);
    for (const std::array<double, 3> &angle : angles) {
        for (const Complex lambda : eigenvalues_of(matrix_of_wave(found, angle, system.fields.size()))) {
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
    const std::vector<std::array<double, 3>> angles = sampled_waves(system, grid);
    std::vector<std::int64_t> looked_at = sampled_cells(grid, initial, coefficients, angles.size());
    const std::vector<std::int64_t> beside_sides = cells_beside_sides(system, grid);
    looked_at.insert(looked_at.end(), beside_sides.begin(), beside_sides.end());
    for (const std::int64_t i : looked_at) {
        cell.cell = place_of_cell(grid, i);
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

double fastest_beside_diffusion(const System &system, const Grid &grid, const std::vector<Field> &initial,
                                const std::vector<Samples> &coefficients, double start_time) {
    const InitialValues values(system, grid, initial, coefficients, start_time);
    CellContext cell = values.context();
    const std::vector<std::array<double, 3>> angles = sampled_waves(system, grid);
    const auto fields = static_cast<Eigen::Index>(system.fields.size());
    double fastest = 0.0;
    for (const std::int64_t i : sampled_cells(grid, initial, coefficients, angles.size())) {
        cell.cell = place_of_cell(grid, i);
        const std::vector<Dependence> found = dependences_where_uniform(system, cell);
        for (const std::array<double, 3> &angle : angles) {
            Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Zero(fields, fields);
            for (const Dependence &of : found) {
                matrix(of.rate, of.field) += of.slope * Complex(1.0, std::sin(phase_at(angle, of.offset)));
            }
            fastest = std::max(fastest, largest_size(eigenvalues_of(matrix)));
        }
    }
    return fastest;
}

System without_waves(const System &system) {
    System others = system;
    others.rates = system.others;
    others.rate_of = system.other_of;
    return others;
}

}  // namespace perdure::systems
