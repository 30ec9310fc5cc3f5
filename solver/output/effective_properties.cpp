#include "solver/output/effective_properties.hpp"

#include <cmath>
#include <limits>

#include "solver/output/effective_bounds.hpp"
#include "solver/run/conductance.hpp"

namespace perdure {
namespace {

bool holds_one_value(const Side &side) {
    return side.kind == SideKind::value && side.values.uniform();
}

/// Flow from a side into the domain per area of the whole side: mean of a du/dn over its faces.
double mean_inflow(const Problem &problem, const FieldValues &u, int axis, int upper) {
    const Grid &grid = problem.grid;
    const Side &side = problem.sides[2 * axis + upper];
    std::array<std::int64_t, 3> extent = grid.cells;
    extent[axis] = 1;
    double sum = 0.0;
    for (std::int64_t z = 0; z < extent[2]; ++z) {
        for (std::int64_t y = 0; y < extent[1]; ++y) {
            for (std::int64_t x = 0; x < extent[0]; ++x) {
                std::array<std::int64_t, 3> cell{x, y, z};
                cell[axis] = upper != 0 ? grid.cells[axis] - 1 : 0;
                const std::int64_t index = grid.index(cell[0], cell[1], cell[2]);
                const double inside = value_at(u, index);
                if (!std::isnan(inside)) {
                    const double t = side_conductance(side, problem.a[index], grid.spacing[axis], 0);
                    sum += t * grid.spacing[axis] * (side.values[0] - inside);
                }
            }
        }
    }
    return sum / static_cast<double>(extent[0] * extent[1] * extent[2]);
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

}  // namespace

std::optional<EffectiveProperties> effective_properties(const Problem &problem, const FieldValues &u,
                                                        bool by_energy) {
    if (problem.type != ProblemType::diffusion || problem.convective || !is_zero(problem.sigma) ||
        !is_zero(problem.f)) {
        return std::nullopt;
    }
    for (int axis = problem.grid.dimensions - 1; axis >= 0; --axis) {
        const Side &lower = problem.sides[2 * axis];
        const Side &upper = problem.sides[2 * axis + 1];
        if (!holds_one_value(lower) || !holds_one_value(upper) || lower.values[0] == upper.values[0]) {
            continue;
        }
        const int high = upper.values[0] > lower.values[0] ? 1 : 0;
        EffectiveProperties found;
        found.axis = axis;
        found.inflow = mean_inflow(problem, u, axis, high);
        found.outflow = -mean_inflow(problem, u, axis, 1 - high);
        const double length = problem.grid.spacing[axis] * static_cast<double>(problem.grid.cells[axis]);
        const double difference = std::abs(upper.values[0] - lower.values[0]);
        const Side &source = high != 0 ? upper : lower;
        const Side &sink = high != 0 ? lower : upper;
        const double flow =
            by_energy ? (source.values[0] * found.inflow - sink.values[0] * found.outflow) / difference
                      : 0.5 * (found.inflow + found.outflow);
        found.coefficient = flow * length / difference;
        found.mean_coefficient = mean_coefficient(problem);
        found.tortuosity = found.coefficient > 0.0 ? found.mean_coefficient / found.coefficient
                                                   : std::numeric_limits<double>::infinity();
        return found;
    }
    return std::nullopt;
}

}  // namespace perdure
