#include "solver/systems/probe_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perdure::systems {
namespace {

constexpr double rounding = 1.0e-9;  // of a weight

}  // namespace

std::vector<std::array<double, 3>> points_of(const ProbeConfig &probe) {
    if (!probe.is_line()) {
        return {probe.from};
    }
    std::vector<std::array<double, 3>> points;
    for (int i = 0; i < probe.points; ++i) {
        const double part = static_cast<double>(i) / std::max(probe.points - 1, 1);
        std::array<double, 3> &point = points.emplace_back();
        for (std::size_t axis = 0; axis < 3; ++axis) {
            point[axis] = probe.from[axis] + part * (probe.to[axis] - probe.from[axis]);
        }
    }
    return points;
}

std::string why_outside(const Grid &grid, const std::array<double, 3> &point) {
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        const double low = grid.origin[axis],
                     high = low + static_cast<double>(grid.cells[axis]) * grid.spacing[axis];
        if (!(point[axis] >= low && point[axis] <= high)) {
            return fmt::format(
                "{0} = {3:.6g} lies outside the grid, which extends from {0} = {1:.6g} to {2:.6g}",
                "xyz"[axis], low, high, point[axis]);
        }
    }
    return {};
}

watch_probe_t probe_at(const Grid &grid, const SystemConfig &config, const std::array<double, 3> &point,
                       int formula) {
    watch_probe_t probe{};
    probe.formula = static_cast<std::uint32_t>(formula);
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        const std::int64_t cells = grid.cells[axis];
        const bool periodic = config.fields.front().sides[2 * axis].kind == SideKind::periodic;
        const double place = (point[axis] - grid.origin[axis]) / grid.spacing[axis] - 0.5;
        double below = std::floor(place);
        if (!periodic) {
            below = std::clamp(below, 0.0, static_cast<double>(std::max<std::int64_t>(cells - 2, 0)));
        }
        const double weight = cells > 1 ? place - below : 0.0;
        const auto cell = static_cast<std::int64_t>(below);
        const auto wrapped = [&](std::int64_t i) { return static_cast<std::uint32_t>((i + cells) % cells); };
        probe.cell[axis] = wrapped(cell);
        probe.above[axis] = wrapped(cell + 1);
        probe.weight[axis] = std::abs(weight) < rounding         ? 0.0
                             : std::abs(weight - 1.0) < rounding ? 1.0
                                                                 : weight;
    }
    return probe;
}

}  // namespace perdure::systems
