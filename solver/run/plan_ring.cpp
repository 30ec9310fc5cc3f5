#include "solver/run/plan_ring.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/equations/equation.hpp"
#include "solver/problem/problem_findings.hpp"
#include "solver/run/readable_bytes.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
bool has_snapshots_before_the_end(const Config &config) {
    return config.time && (config.time->snapshot_every > 0 || config.time->snapshot_times.size() > 1);
}

std::string why_no_ring(const DeviceDescription &device, const LaunchPlan &plan) {
    if (plan.model != ExecutionModel::persistent) {
        return fmt::format("model {} launches once per snapshot", name(plan.model));
    }
    if (plan.bounded || !device.copies_while_running) {
        return "the memory of the device cannot be copied during a launch";
    }
    return {};
}

void plan_ring(const Config &config, const DeviceDescription &device, LaunchPlan &plan) {
    if (!has_snapshots_before_the_end(config) || !why_no_ring(device, plan).empty()) {
        return;
    }
    const auto fields = static_cast<std::int64_t>(field_names(config).size());
    const std::int64_t slot =
        config.grid.cells[0] * config.grid.cells[1] * config.grid.cells[2] * fields * real_bytes(config);
    const std::int64_t free = static_cast<std::int64_t>(device.free_bytes) - plan.least_bytes;
    std::uint32_t slots = most_ring_slots;
    while (slots > least_ring_slots && slots * slot > free / 2) {
        --slots;
    }
    if (slots * slot > free) {
        fail_at(
            config.time->position, ExitCode::device, config,
            fmt::format("{} snapshots of {} are buffered on {} during the run, but only {} are free after "
                        "the fields; use a smaller grid{}, or execution.model: launches, which buffers none",
                        slots, readable_bytes(static_cast<double>(slot)), device.name,
                        readable_bytes(static_cast<double>(free)),
                        config.execution.precision != Precision::float32 ? " or precision: float32" : ""));
    }
    const std::size_t before_the_end = config.time->snapshot_times.size() - 1;
    plan.ring_slots = config.time->snapshot_every > 0
                          ? slots
                          : static_cast<std::uint32_t>(std::min<std::size_t>(slots, before_the_end));
    plan.least_bytes += plan.ring_slots * slot;
}

}  // namespace perdure
