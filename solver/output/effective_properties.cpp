#include "solver/output/effective_properties.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/output/effective_bounds.hpp"
#include "solver/run/conductance.hpp"

namespace perdure {
namespace {

bool holds_one_value(const Side &side) {
    return side.kind == SideKind::value && side.values.uniform();
}

/// Cells beside a side, in the order of its faces.
template <class Use>
void for_each_beside(const Grid &grid, int axis, int upper, const Use &use) {
    std::array<std::int64_t, 3> extent = grid.cells;
    extent[axis] = 1;
    for (std::int64_t z = 0; z < extent[2]; ++z) {
        for (std::int64_t y = 0; y < extent[1]; ++y) {
            for (std::int64_t x = 0; x < extent[0]; ++x) {
                std::array<std::int64_t, 3> cell{x, y, z};
                cell[axis] = upper != 0 ? grid.cells[axis] - 1 : 0;
                use(grid.index(cell[0], cell[1], cell[2]));
            }
        }
    }
}

/// Flow from a side into the domain per area of the whole side, mean of a du/dn over its faces; and its error, for one of 1
/// in each value of u, relative and independent.
struct Inflow {
    double mean = 0.0, error = 0.0;
};

Inflow inflow_of(const Problem &problem, const std::vector<double> &beside, int axis, int upper) {
    const Grid &grid = problem.grid;
    const Side &side = problem.sides[2 * axis + upper];
    std::size_t face = 0;
    double sum = 0.0;
    double squares = 0.0;
    for_each_beside(grid, axis, upper, [&](std::int64_t index) {
        const double inside = beside[face++];
        if (!std::isnan(inside)) {
            const double t = side_conductance(side, problem.a[index], grid.spacing[axis], 0);
            sum += t * grid.spacing[axis] * (side.values[0] - inside);
            const double error = t * grid.spacing[axis] * inside;
            squares += error * error;
        }
    });
    const auto faces = static_cast<double>(beside.size());
    return {sum / faces, std::sqrt(squares) / faces};
}

double mean_coefficient(const Problem &problem) {
    const MaterialImage &image = problem.image;
    const Samples &samples = problem.a;
    if (!image.materials.empty()) {
        return wiener_bounds(image).upper;
    }
    double sum = 0.0;
    for (const double value : samples.values) {
        sum += value;
    }
    return sum / static_cast<double>(samples.values.size());
}

bool is_zero(const Samples &samples) {
    for (const double value : samples.values) {
        if (value != 0.0) {
            return false;
        }
    }
    return true;
}

/// The first axis whose sides hold different values, in a problem whose flow is that of its sides alone.
std::optional<int> axis_of_flow(const Problem &problem) {
    if (problem.type != ProblemType::diffusion || problem.convective || !is_zero(problem.sigma) ||
        !is_zero(problem.f)) {
        return std::nullopt;
    }
    for (int axis = problem.grid.dimensions - 1; axis >= 0; --axis) {
        const Side &lower = problem.sides[2 * axis];
        const Side &upper = problem.sides[2 * axis + 1];
        if (holds_one_value(lower) && holds_one_value(upper) && lower.values[0] != upper.values[0]) {
            return axis;
        }
    }
    return std::nullopt;
}

}  // namespace

EffectiveProperties effective_properties(const Problem &problem, int axis, const SideValues &u,
                                         bool by_energy) {
    const double lower = problem.sides[2 * axis].values[0];
    const double upper = problem.sides[2 * axis + 1].values[0];
    const int high = upper > lower ? 1 : 0;
    EffectiveProperties found;
    found.axis = axis;
    const Inflow from_high = inflow_of(problem, u[static_cast<std::size_t>(high)], axis, high);
    const Inflow from_low = inflow_of(problem, u[static_cast<std::size_t>(1 - high)], axis, 1 - high);
    found.inflow = from_high.mean;
    found.outflow = -from_low.mean;
    const double length = problem.grid.spacing[axis] * static_cast<double>(problem.grid.cells[axis]);
    const double difference = std::abs(upper - lower);
    const double of_inflow = by_energy ? std::max(upper, lower) / difference : 0.5;
    const double of_outflow = by_energy ? -std::min(upper, lower) / difference : 0.5;
    const double flow = of_inflow * found.inflow + of_outflow * found.outflow;
    found.coefficient = flow * length / difference;
    found.rounding_grows =
        flow != 0.0 ? std::hypot(of_inflow * from_high.error, of_outflow * from_low.error) / std::abs(flow)
                    : 0.0;
    found.mean_coefficient = mean_coefficient(problem);
    found.tortuosity = found.coefficient > 0.0 ? found.mean_coefficient / found.coefficient
                                               : std::numeric_limits<double>::infinity();
    return found;
}

std::optional<EffectiveProperties> effective_properties(const Problem &problem, const FieldValues &u,
                                                        bool by_energy) {
    const std::optional<int> axis = axis_of_flow(problem);
    if (!axis) {
        return std::nullopt;
    }
    SideValues beside;
    for (const int upper : {0, 1}) {
        for_each_beside(problem.grid, *axis, upper, [&](std::int64_t cell) {
            beside[static_cast<std::size_t>(upper)].push_back(value_at(u, cell));
        });
    }
    return effective_properties(problem, *axis, beside, by_energy);
}

}  // namespace perdure
