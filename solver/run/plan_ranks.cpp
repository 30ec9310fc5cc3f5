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

namespace {

/// Why ranks cannot share a case on GPUs; empty: they can.
std::string why_not_on_gpus(const Config &config, const LaunchPlan &plan) {
    const bool is_implicit_heat = plan.method->implicit != nullptr && !config.system;
    if (plan.method->has_cycles || is_implicit_heat || config.effective) {
        return "on GPUs they share systems of formulas, explicit heat, waves, and steady problems by cg with "
               "preconditioner: jacobi, bicgstab, chebyshev, sor or jacobi, without images";
    }
    if (plan.shape.groups < 2) {
        return "on GPUs each needs at least 2 groups; raise execution.groups";
    }
    return {};
}

}  // namespace

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
    if (device.backend == BackendChoice::cuda) {
        if (const std::string reason = why_not_on_gpus(config, plan); !reason.empty()) {
            refuse(reason +
                   "; set execution.backend: host, or start one process, whose execution.devices says "
                   "how many GPUs it uses");
        }
    }
    const int most = most_devices(plan.boxes);
    if (count > most) {
        refuse(fmt::format(
            "the grid is cut across its last axis into whole layers of boxes of cells, of "
            "which it has {}; start {}",
            most, most > 1 ? fmt::format("at most {}", most) : "one process, without the launcher"));
    }
}

}  // namespace perdure
