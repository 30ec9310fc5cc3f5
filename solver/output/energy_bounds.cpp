#include "solver/output/energy_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/output/flow_network.hpp"
#include "solver/output/spanning_forest.hpp"

namespace perdure {
namespace {

/// The flow of u: its energy, how much more leaves a cell than enters, and what enters through the lower side. `lost`: what rounding left
/// of the balance of parts that no side is to take it from.
struct Flow {
    long double energy = 0.0L, strength = 0.0L, lost = 0.0L;
    std::vector<double> surplus;
};

/// Of a cell inside: how much more leaves it than enters, not finite where a cell that is not conducts to this one, and what each face has
/// of the energy.
struct InnerFlow {
    double surplus = 0.0;
    std::array<double, 6> energy{};
};

InnerFlow inner_flow(const FlowNetwork &network, std::int64_t cell) {
    const double u = network.u(cell);
    InnerFlow flow;
    network.for_each_inner_face(cell, [&](int face, std::int64_t other) {
        const double t = network.between_cells().between(face / 2, cell, other);
        if (t > 0.0) {
            const double fall = u - network.u(other);
            flow.surplus += t * fall;
            flow.energy[face] = 0.5 * t * fall * fall;  // a face between cells is met twice
        }
    });
    return flow;
}

/// Of the cells from `first` on that are inside and count; returns the first one that is not.
std::int64_t add_inner_cells(const FlowNetwork &network, std::int64_t first, Flow &flow) {
    long double energy = flow.energy;
    std::int64_t cell = first;
    for (; network.is_inside(cell) && network.counts(cell); ++cell) {
        const InnerFlow of_cell = inner_flow(network, cell);
        flow.surplus[cell] = of_cell.surplus;
        for (const double of_face : of_cell.energy) {
            energy += of_face;
        }
    }
    flow.energy = energy;
    return cell;
}

/// The same of any cell.
void add_cell(const FlowNetwork &network, std::int64_t cell, Flow &flow) {
    for (int face = 0; face < network.faces(); ++face) {
        const std::int64_t other = network.beyond(cell, face);
        const bool side = network.leads_to_side(cell, face);
        const bool is_open = other != FlowNetwork::no_cell || side;
        const double t = is_open ? network.conductance(cell, face, other) : 0.0;
        if (!(t > 0.0)) {
            continue;
        }
        const double fall = network.fall(cell, face, other);
        flow.surplus[cell] += t * fall;
        flow.energy += (side ? 1.0 : 0.5) * t * fall * fall;
        if (network.passes_lower_side(cell, face) == 1) {
            flow.strength -= t * fall;
        }
    }
}

/// Empty where a cell that is not finite conducts to one that is.
std::optional<Flow> flow_of(const FlowNetwork &network) {
    Flow flow;
    flow.surplus.assign(static_cast<std::size_t>(network.cells()), 0.0);
    for (std::int64_t cell = 0; cell < network.cells();) {
        cell = add_inner_cells(network, cell, flow);
        if (network.counts(cell)) {
            add_cell(network, cell, flow);
        }
        ++cell;  // the last one of the grid is not inside
    }
    const bool is_finite = std::all_of(flow.surplus.begin(), flow.surplus.end(),
                                       [](double surplus) { return std::isfinite(surplus); });
    return is_finite ? std::optional(std::move(flow)) : std::nullopt;
}

/// Carries each cell's surplus to a side and returns what the balanced flow dissipates. Changes `flow.strength`.
std::optional<long double> balance(const FlowNetwork &network, Flow &flow) {
    const SpanningForest forest(network);
    long double added = 0.0L;
    for (auto next = forest.order().rbegin(); next != forest.order().rend(); ++next) {
        const std::int64_t cell = *next;
        if (forest.is_root(cell)) {
            flow.lost += std::abs(flow.surplus[cell]);
            flow.surplus[cell] = 0.0;
            continue;
        }
        const int face = forest.face_to_root(cell);
        const std::int64_t other =
            network.leads_to_side(cell, face) ? FlowNetwork::no_cell : network.beyond(cell, face);
        const double t = network.conductance(cell, face, other);
        const double fall = network.fall(cell, face, other);
        const long double change = -static_cast<long double>(flow.surplus[cell]);
        added += change * (2.0L * fall + change / t);
        if (other != FlowNetwork::no_cell) {
            flow.surplus[other] -= static_cast<double>(change);
        }
        flow.strength -= network.passes_lower_side(cell, face) * change;
        flow.surplus[cell] = 0.0;
    }
    const bool balanced =
        std::all_of(flow.surplus.begin(), flow.surplus.end(), [](double surplus) { return surplus == 0.0; });
    return balanced ? std::optional(flow.energy + added) : std::nullopt;
}

bool is_bounded(const Grid &grid, const Field &field, int axis) {
    if (field.in_time || field.convective || !is_zero(field.sigma) || !is_zero(field.f) ||
        grid.count() > most_cells_to_bound || field.image.has_cross_terms()) {
        return false;
    }
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        const bool closed = is_periodic(field.sides, side / 2) || is_insulated(field.sides[side]);
        if (side / 2 != axis && !closed) {
            return false;
        }
    }
    return fall_along(field, axis).has_value();
}

}  // namespace

std::optional<Bounds> energy_bounds(const Grid &grid, const Field &field, int axis, const FieldValues &u) {
    if (!is_bounded(grid, field, axis)) {
        return std::nullopt;
    }
    const FlowNetwork network(grid, field, axis, u);
    std::optional<Flow> flow = flow_of(network);
    const std::optional<long double> dissipation = flow ? balance(network, *flow) : std::nullopt;
    if (!dissipation || !(flow->energy > 0.0L) || !(*dissipation > 0.0L)) {
        return std::nullopt;
    }
    const double difference = *fall_along(field, axis);
    const double n = static_cast<double>(grid.cells[axis]), h = grid.spacing[axis];
    const double scale = n * n * h * h / static_cast<double>(grid.count());  // of a conductance per volume
    const double rounding = 1.0e-13;  // of some operations on each term
    const long double strength = std::max(std::abs(flow->strength) - 2.0L * flow->lost, 0.0L);
    const auto upper = static_cast<double>(flow->energy / (difference * difference)) * scale;
    const auto lower = static_cast<double>(strength * strength / *dissipation) * scale;
    if (!std::isfinite(upper) || !std::isfinite(lower)) {
        return std::nullopt;
    }
    return Bounds{lower * (1.0 - rounding), upper * (1.0 + rounding)};
}

}  // namespace perdure
