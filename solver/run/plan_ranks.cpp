#include "solver/run/plan_ranks.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "solver/ranks/ranks.hpp"
#include "solver/systems/system.hpp"
#include "solver/systems/watch.hpp"

namespace perdure {

int reach_of_phases(const Config &config) {
    if (!config.formulas) {
        return 1;
    }
    const auto last = static_cast<std::size_t>(config.grid.dimensions - 1);
    const systems::System &system = *config.formulas;
    const int of_watch = system.watch ? 1 + system.watch->reach[last] : 0;  // between two cells
    return std::max({1, system.reach[last], of_watch});
}

void check_ranks(int dimensions, const DeviceDescription &device, const LaunchPlan &plan) {
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
            "{}; start {}", describe_parts(plan.boxes, dimensions),
            most > 1 ? fmt::format("at most {} processes", most) : "one process, without the launcher"));
    }
}

}  // namespace perdure
