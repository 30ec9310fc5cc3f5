#include "solver/run/plan_ranks.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "solver/backends/host/rank_planes.hpp"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/systems/system.hpp"
#include "solver/systems/watch.hpp"

namespace perdure {
namespace {

/// The planes that are needed, as cells.
std::vector<CellRange> cells_of(const std::vector<bool> &needed, std::int64_t cells_of_plane) {
    std::vector<CellRange> ranges;
    for (std::size_t plane = 0; plane < needed.size(); ++plane) {
        if (!needed[plane]) {
            continue;
        }
        if (plane == 0 || !needed[plane - 1]) {
            ranges.push_back({static_cast<std::int64_t>(plane) * cells_of_plane, 0});
        }
        ranges.back().count += cells_of_plane;
    }
    return ranges;
}

bool needs_all_cells(const Config &config, const LaunchPlan &plan) {
    return plan.method->has_cycles || config.effective || !config.a.labels_cross.empty();
}

}  // namespace

int reach_of_phases(const Config &config) {
    if (!config.formulas) {
        return 1;
    }
    const auto last = static_cast<std::size_t>(config.grid.dimensions - 1);
    const systems::System &system = *config.formulas;
    const int of_watch = system.watch ? 1 + system.watch->reach[last] : 0;  // between two cells
    return std::max({1, system.reach[last], of_watch});
}

HeldParts held_parts(const Config &config, const DeviceDescription &device, const LaunchPlan &plan) {
    HeldParts held;
    if (ranks() == nullptr || !device.holds_parts || needs_all_cells(config, plan)) {
        return held;
    }
    const int last = config.grid.dimensions - 1;
    const std::int64_t count = config.grid.cells[static_cast<std::size_t>(last)];
    const std::int64_t cells_of_plane =
        config.grid.cells[0] * config.grid.cells[1] * config.grid.cells[2] / count;
    const host::PlanesOfRanks planes = host::planes_between(
        plan.shape.cuts, static_cast<std::uint32_t>(count), is_periodic(config.sides, last));
    std::ptrdiff_t most = 0;
    for (int rank = 0; rank < ranks()->count(); ++rank) {
        const std::vector<bool> needed = planes.needed_by(rank, plan.reach);
        most = std::max(most, std::ranges::count(needed, true));
        if (rank == ranks()->index()) {
            held.cells = cells_of(needed, cells_of_plane);
        }
    }
    held.largest = static_cast<double>(most) / static_cast<double>(count);
    return held;
}

std::vector<CellRange> cells_of_initial_values(const Config &config) {
    LaunchPlan plan;
    plan.method = &method_of(config);
    if (ranks() == nullptr || ranks()->index() == 0 || plan.method->implicit != nullptr) {
        return {};
    }
    plan.boxes = choose_boxes(config.grid.cells, config.grid.dimensions);
    plan.shape.cuts = cuts_between(ranks()->count(), plan.boxes, config.grid.cells);
    plan.reach = reach_of_phases(config);
    return held_parts(config, {}, plan).cells;
}

void check_ranks(const Config &config, const DeviceDescription &device, const LaunchPlan &plan) {
    if (ranks() == nullptr) {
        return;
    }
    const int count = ranks()->count();
    const auto refuse = [&](const std::string &why) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("{} processes cannot share this case: {}", count, why));
    };
    if (device.backend == BackendChoice::opencl || device.devices > 1) {
        refuse(fmt::format(
            "they share cases on host threads or with a CUDA GPU each, and it would run on {}; set "
            "execution.backend: host or cuda, without execution.devices",
            device.name));
    }
    if (device.backend == BackendChoice::cuda && plan.shape.groups < 2) {
        refuse("each GPU needs at least 2 groups; raise execution.groups");
    }
    const int most = most_devices(plan.boxes);
    if (count > most) {
        refuse(fmt::format(
            "{}; start {}", describe_parts(plan.boxes, config.grid.cells, config.grid.dimensions),
            most > 1 ? fmt::format("at most {} processes", most) : "one process, without the launcher"));
    }
}

}  // namespace perdure
