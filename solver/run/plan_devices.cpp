#include "solver/run/plan_devices.hpp"

#include <vector>

#include <fmt/format.h>

#include "kernels/resident/tiling.h"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

void check_devices(const Config &config, int devices, const Boxes &boxes) {
    const int most = most_devices(boxes);
    if (devices <= most) {
        return;
    }
    fail_at(config.execution.devices_position, ExitCode::case_or_usage, config,
            fmt::format("execution.devices: {} devices cannot share the case: {}; use at most {}", devices,
                        describe_parts(boxes, config.grid.cells, config.grid.dimensions), most));
}

std::string why_not_on_devices(const Config &config, int devices, const Boxes &boxes,
                               const ResidentPlan &plan, int groups) {
    if (devices == 1) {
        return {};
    }
    if (groups < devices) {
        return fmt::format("its groups, {} in all, cannot be shared out among {} devices", groups, devices);
    }
    constexpr double rows_at_a_side = PIPELINE_STEPS + 1;  // which the first and the last device must have
    const std::vector<double> cuts = cuts_between(devices, boxes, config.grid.cells);
    const auto rows = static_cast<double>(config.grid.cells[1]);
    if (config.grid.dimensions == 2 && !plan.conjugate_gradients &&
        plan.regime == ResidentRegime::through_memory &&
        (cuts.front() * rows < rows_at_a_side || (1.0 - cuts.back()) * rows < rows_at_a_side)) {
        return fmt::format("a device would have fewer than {} rows", rows_at_a_side);
    }
    return {};
}

}  // namespace perdure
