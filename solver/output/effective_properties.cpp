#include "solver/output/effective_properties.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/image_question.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/output/effective_bounds.hpp"
#include "solver/output/energy_bounds.hpp"
#include "solver/run/assembler.hpp"
#include "solver/run/tensor_vertices.hpp"

namespace perdure {
namespace {

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

/// Flow from a side into the domain per area of the whole side: mean of a du/dn over its faces.
double inflow_of(const Grid &grid, const Field &field, const FieldValues &u, int axis, int upper) {
    const FaceCondition condition = face_condition(field.sides[2 * axis + upper], 0);
    double sum = 0.0;
    for_each_beside(grid, axis, upper, [&](std::int64_t index) {
        const double inside = value_at(u, index);
        if (!std::isnan(inside)) {
            sum += inward_flux(condition, field.a_along(axis, index), grid.spacing[axis], inside);
        }
    });
    return sum / static_cast<double>(grid.count() / grid.cells[axis]);
}

/// Flow across the faces that join the two sides of a periodic axis, per area of the whole side.
double flow_across(const Grid &grid, const Field &field, const FieldValues &u, int axis) {
    double sum = 0.0;
    for_each_face_across(grid, field, axis, [&](std::int64_t lower, std::int64_t upper, double t) {
        sum +=
            t * grid.spacing[axis] * (value_at(u, upper) - value_at(u, lower) + field.jump_beyond(2 * axis));
    });
    return sum / static_cast<double>(grid.count() / grid.cells[axis]);
}

double mean_coefficient(const Field &field, int axis) {
    const MaterialImage &image = field.image;
    const Samples &samples = field.a;
    if (!image.materials.empty()) {
        return wiener_bounds(image, axis).upper;
    }
    double sum = 0.0;
    for (std::int64_t i = 0; i < samples.count(); ++i) {
        sum += samples[i];
    }
    return sum / static_cast<double>(samples.count());
}

/// The first axis along which u falls, in a problem whose flow is that of its sides alone.
std::optional<int> axis_of_flow(const Grid &grid, const Field &field) {
    if (field.in_time || field.convective || !is_zero(field.sigma) || !is_zero(field.f)) {
        return std::nullopt;
    }
    for (int axis = grid.dimensions - 1; axis >= 0; --axis) {
        if (fall_along(field, axis)) {
            return axis;
        }
    }
    return std::nullopt;
}

/// With the coefficient known.
void finish(const Field &field, EffectiveProperties &found) {
    found.mean_coefficient = mean_coefficient(field, found.axis);
    found.tortuosity = found.coefficient > 0.0 ? found.mean_coefficient / found.coefficient
                                               : std::numeric_limits<double>::infinity();
}

/// Sums of kernels/plane_flow.h with their parts added: one for each plane.
std::vector<double> of_planes(const std::vector<double> &sums, std::size_t planes, std::size_t row) {
    std::vector<double> of_plane(planes, 0.0);
    for (std::size_t i = 0; i < planes * PLANE_PARTS; ++i) {
        of_plane[i / PLANE_PARTS] += sums[row * planes * PLANE_PARTS + i];
    }
    return of_plane;
}

double sum_of(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Bounds the coefficient, and moves it to the nearest value between the bounds.
void add_energy_bounds(const Grid &grid, const Field &field, const FieldValues &u,
                       EffectiveProperties &found) {
    found.bounds = energy_bounds(grid, field, found.axis, u);
    if (found.bounds) {
        found.coefficient = std::clamp(found.coefficient, found.bounds->lower, found.bounds->upper);
        found.tortuosity = found.mean_coefficient / found.coefficient;
    }
}

}  // namespace

bool is_zero(const Samples &samples) {
    return std::all_of(samples.values.begin(), samples.values.end(),
                       [](double value) { return value == 0.0; });
}

bool has_through_flow(const Grid &grid, const Field &field) {
    return axis_of_flow(grid, field).has_value();
}

std::optional<double> fall_along(const Field &field, int axis) {
    if (field.falls_along == axis) {
        return 1.0;
    }
    const std::optional<double> lower = held_value(field.sides[2 * axis]);
    const std::optional<double> upper = held_value(field.sides[2 * axis + 1]);
    return lower && upper && *lower != *upper ? std::optional(*lower - *upper) : std::nullopt;
}

EffectiveProperties effective_properties(const Grid &grid, const Field &field, int axis,
                                         const std::vector<double> &sums, double unit_roundoff) {
    const auto extent = static_cast<double>(grid.cells[axis]);
    const double faces = static_cast<double>(grid.count()) / extent;
    const double h = grid.spacing[axis];
    const auto planes = static_cast<std::size_t>(grid.cells[axis]) + 1;
    const double energy = sum_of(of_planes(sums, planes, PLANE_ENERGY));
    const double energy_noise = sum_of(of_planes(sums, planes, PLANE_ENERGY_NOISE));
    const std::vector<double> flows = of_planes(sums, planes, PLANE_FLOW);
    const std::vector<double> flow_noise = of_planes(sums, planes, PLANE_FLOW_NOISE);
    const bool upwards = *fall_along(field, axis) > 0.0;
    EffectiveProperties found;
    found.axis = axis;
    found.inflow = h / faces * (upwards ? flows.front() : -flows.back());
    found.outflow = h / faces * (upwards ? flows.back() : -flows.front());
    found.coefficient = energy * extent * h * h / faces;
    found.mean_flux[axis] = found.coefficient;
    for (int other = 0, row = PLANE_ACROSS_FIRST; other < grid.dimensions; ++other) {
        if (other != axis) {
            const double across = sum_of(of_planes(sums, planes, static_cast<std::size_t>(row++)));
            found.mean_flux[other] = (upwards ? 1.0 : -1.0) * grid.spacing[other] * h / faces * across;
        }
    }
    const double flow = (upwards ? 1.0 : -1.0) * energy;  // through a plane of an exact u
    if (energy > 0.0) {
        found.rounding = unit_roundoff * unit_roundoff * energy_noise / energy;
        for (std::size_t k = 0; k < planes; ++k) {
            found.plane_spread = std::max(found.plane_spread, std::abs(flows[k] / flow - 1.0));
            found.plane_noise =
                std::max(found.plane_noise, unit_roundoff * std::sqrt(flow_noise[k]) / energy);
        }
    }
    finish(field, found);
    return found;
}

template <typename Real>
void add_faces_across(const Grid &grid, const Field &field, int axis, const LargeVector<Real> &u,
                      std::vector<double> &sums) {
    const auto items = (static_cast<std::size_t>(grid.cells[axis]) + 1) * PLANE_PARTS;
    const std::size_t last = items - PLANE_PARTS;
    for_each_face_across(grid, field, axis, [&](std::int64_t lower, std::int64_t upper, double t) {
        const double below = double{u[upper]} + field.jump_beyond(2 * axis), above = u[lower];
        const double squares = below * below + above * above;
        sums[PLANE_FLOW * items] += t * (below - above);
        sums[PLANE_FLOW_NOISE * items] += t * t * squares;
        sums[PLANE_ENERGY * items] += t * (below - above) * (below - above);
        sums[PLANE_ENERGY_NOISE * items] += t * squares;
    });
    sums[PLANE_FLOW * items + last] = sums[PLANE_FLOW * items];
    sums[PLANE_FLOW_NOISE * items + last] = sums[PLANE_FLOW_NOISE * items];
}

template void add_faces_across(const Grid &, const Field &, int, const LargeVector<float> &,
                               std::vector<double> &);
template void add_faces_across(const Grid &, const Field &, int, const LargeVector<double> &,
                               std::vector<double> &);

std::optional<EffectiveProperties> effective_properties(const Grid &grid, const Field &field,
                                                        const FieldValues &u) {
    const std::optional<int> axis = axis_of_flow(grid, field);
    if (!axis) {
        return std::nullopt;
    }
    if (field.image.has_cross_terms()) {
        return std::visit(
            [&](const auto &values) {
                std::vector<double> sums(PLANE_SUMS * (static_cast<std::size_t>(grid.cells[*axis]) + 1) *
                                         PLANE_PARTS);
                set_tensor_sums(grid, field, *axis, values, sums);
                return effective_properties(grid, field, *axis, sums, 0.0);
            },
            u);
    }
    const double fall = *fall_along(field, *axis);
    const int high = fall < 0.0 ? 1 : 0;
    EffectiveProperties found;
    found.axis = *axis;
    if (field.falls_along == *axis) {
        found.inflow = found.outflow = flow_across(grid, field, u, *axis);
    } else {
        found.inflow = inflow_of(grid, field, u, *axis, high);
        found.outflow = -inflow_of(grid, field, u, *axis, 1 - high);
    }
    const double length = grid.spacing[*axis] * static_cast<double>(grid.cells[*axis]);
    found.coefficient = 0.5 * (found.inflow + found.outflow) * length / std::abs(fall);
    finish(field, found);
    add_energy_bounds(grid, field, u, found);
    return found;
}

void complete_effective(const Grid &grid, const Field &field, const FieldValues &u,
                        std::optional<EffectiveProperties> &found) {
    if (found) {
        add_energy_bounds(grid, field, u, *found);
    } else {
        found = effective_properties(grid, field, u);
    }
}

}  // namespace perdure
