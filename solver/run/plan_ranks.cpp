#include "solver/run/plan_ranks.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "solver/equations/equation.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/systems/system.hpp"
#include "solver/systems/watch.hpp"

namespace perdure {
namespace {

/// Cells along the last axis that the smallest part has.
int least_part(const std::vector<double> &cuts, std::int64_t cells) {
    return static_cast<int>(std::ranges::min(parts_between(cuts)) * static_cast<double>(cells) + 0.5);
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

void check_ranks(const Config &config, const DeviceDescription &device, const LaunchPlan &plan) {
    if (ranks() == nullptr) {
        return;
    }
    const int count = ranks()->count();
    const auto refuse = [&](const std::string &why) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("{} processes cannot share this case: {}", count, why));
    };
    if (device.backend != BackendChoice::host) {
        refuse(
            fmt::format("they share cases on host threads alone, and it would run on {}; set "
                        "execution.backend: host, or start one process, whose execution.devices says how "
                        "many GPUs it uses",
                        device.name));
    }
    if (equation_of(config.type).of_image) {
        refuse("a case of an image is solved by one process; start it without the MPI launcher");
    }
    if (plan.method->has_cycles) {
        refuse(
            "multigrid runs in one process; use solver.preconditioner: jacobi, or start the case without the "
            "MPI launcher");
    }
    const int most = most_devices(plan.boxes);
    const std::int64_t cells = config.grid.cells[static_cast<std::size_t>(config.grid.dimensions - 1)];
    if (count > most) {
        refuse(fmt::format(
            "the grid is cut across its last axis into whole layers of boxes of cells, of "
            "which it has {}; start {}",
            most, most > 1 ? fmt::format("at most {}", most) : "one process, without the launcher"));
    }
    if (const int least = least_part(plan.shape.cuts, cells); least < plan.reach) {
        refuse(
            fmt::format("its formulas look {} cells away along the last axis, but the smallest part would "
                        "have {}; start fewer",
                        plan.reach, least));
    }
}

}  // namespace perdure
