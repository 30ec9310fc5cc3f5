#include "solver/backends/occupancy_discovery.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "solver/backends/wait_limit.hpp"
#include "solver/backends/wait_record.hpp"
#include "sync/occupancy_discovery.h"

namespace perdure {
namespace {

/// 0.5 ms finds every worker thread of PoCL; polls of this kernel are up to three times as fast as those that
/// calibrate waits, and the cost is paid once per device and group size.
constexpr double delay_seconds = 2.0e-3;
constexpr double discovery_patience_seconds = 5.0;

KernelCall discovery_call(int launched) {
    const auto groups = static_cast<std::uint32_t>(launched);
    return {"discover_groups",
            Precision::float64,
            {{"control", sizeof(control_t), nullptr},
             {"sync", grid_sync_bytes(groups), nullptr},
             {"state", sizeof(run_state_t), nullptr},
             {"poll", sizeof(std::uint32_t), nullptr},
             {"ranks", sizeof(std::uint32_t) * groups, nullptr},
             {"ring", sizeof(std::uint32_t) * groups, nullptr}}};
}

/// The groups that joined the poll, by their index in the launch.
std::vector<int> members_of(DeviceRun &run, int launched) {
    std::vector<std::uint32_t> ranks(static_cast<std::size_t>(launched));
    run.read(4, ranks.data(), ranks.size() * sizeof(std::uint32_t));
    std::vector<int> members;
    for (int group = 0; group < launched; ++group) {
        if (ranks[static_cast<std::size_t>(group)] != NOT_A_MEMBER) {
            members.push_back(group);
        }
    }
    return members;
}

Discovery outcome(DeviceRun &run, int launched) {
    std::uint32_t poll = 0;
    run_state_t state{};
    run.read(3, &poll, sizeof poll);
    run.read(2, &state, sizeof state);
    const auto found = static_cast<int>(poll & ~POLL_CLOSED);
    const std::string abandoned = describe_abandoned_wait(run, launched, members_of(run, launched));
    if (!abandoned.empty()) {
        return {fmt::format("found {} groups that run at the same time, but {}", found, abandoned), 0, false};
    }
    if (state.control.wrong != 0 || state.control.stop != STOP_COMPLETE) {
        return {
            fmt::format(
                "{} wrong values were read after a barrier of the {} groups found to run at the same time",
                state.control.wrong, found),
            0, true};
    }
    return {{}, found, false};
}

}  // namespace

Discovery discover_groups(Device &device, int launched, int group_size, std::uint32_t rounds) {
    run_parameters_t parameters{};
    parameters.rounds = rounds;
    try {
        const double units = device.wait_units_per_second();
        parameters.delay = static_cast<std::uint32_t>(std::clamp(
            delay_seconds * units, 1.0, static_cast<double>(std::numeric_limits<std::uint32_t>::max())));
        parameters.wait_limit = wait_limit(device, discovery_patience_seconds);
        const auto run = device.prepare(discovery_call(launched), {launched, group_size});
        run->launch(parameters, false);
        while (!run->finished(std::chrono::milliseconds(100))) {
        }
        return outcome(*run, launched);
    } catch (const Failure &failure) {
        return {failure.what(), 0, false};
    }
}

}  // namespace perdure
