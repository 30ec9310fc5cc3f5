#include <algorithm>

#include <fmt/format.h>

#include "solver/backends/wait_limit.hpp"
#include "solver/backends/wait_record.hpp"
#include "solver/measure/litmus/litmus.hpp"
#include "solver/run/plan_launch.hpp"
#include "sync/grid_barrier.h"

namespace perdure::litmus {
namespace {

constexpr const char *kernel = "barrier_self_test";
constexpr double seconds_without_progress = 0.2;
constexpr int most_doublings = 6;

Outcome ask_the_plan(Device &device) {
    Config config;
    config.grid.cells = {64, 64, 1};
    config.execution.groups =
        device.most_groups({name(config.solver.method), Precision::float64}, device.default_group_size()) + 1;
    Outcome outcome{fmt::format("a case asks for {} groups", config.execution.groups),
                    Model::no_matter,
                    1,
                    0,
                    0,
                    0.0,
                    ""};
    try {
        (void)plan_launch(config, device);
        outcome.note = "accepted, which is an error in perdure";
    } catch (const Failure &failure) {
        outcome.seen = 1;
        outcome.note = fmt::format("refused: {}", failure.what());
    }
    return outcome;
}

Outcome force(Device &device, LaunchShape shape) {
    run_parameters_t parameters{};
    parameters.rounds = 1;
    parameters.barrier = BARRIER_GROUP_LEADER;
    parameters.wait_limit = wait_limit(device, seconds_without_progress);
    KernelCall call{kernel, Precision::float64, {}};
    call.buffers = {{"control", sizeof(control_t), nullptr},
                    {"sync", grid_sync_bytes(static_cast<std::uint32_t>(shape.groups)), nullptr},
                    {"state", sizeof(run_state_t), nullptr},
                    {"ring",
                     sizeof(std::uint32_t) * static_cast<std::size_t>(shape.groups) *
                         static_cast<std::size_t>(shape.group_size),
                     nullptr}};
    Outcome outcome{
        fmt::format("{} groups, launched nevertheless", shape.groups), Model::no_matter, 1, 0, 0, 0.0, ""};
    const std::unique_ptr<DeviceRun> run = device.prepare(call, shape);
    run->launch(parameters, false);
    while (!run->finished(std::chrono::milliseconds(100))) {
    }
    outcome.seconds = run->launch_seconds();
    const std::string record = describe_abandoned_wait(*run, shape.groups);
    outcome.seen = record.empty() ? 0 : 1;
    outcome.note = record.empty() ? fmt::format("all {} groups met", shape.groups)
                                  : fmt::format("ended by the watchdog: {}", record);
    return outcome;
}

std::string explain(const Device &device, bool met) {
    if (device.description().backend == BackendChoice::host) {
        return "Host threads take turns, so more threads than processors can still meet at a barrier. A case "
               "may have many more, up to a limit.";
    }
    if (met) {
        return "This device runs more groups at the same time than it guarantees; perdure never uses more "
               "than are guaranteed.";
    }
    return "The extra group would start when another group ends, but the others wait for it. Only the limit "
           "on every wait ends this, so perdure refuses such a launch beforehand.";
}

}  // namespace

Result try_too_many_groups(Device &device) {
    Result result;
    result.experiment = "too_many_groups";
    result.question =
        "a barrier of more groups than a case may have, or than run at the same time; seen: the launch was "
        "refused, or did not end by itself";
    LaunchShape shape;
    shape.group_size =
        std::min(device.default_group_size(), device.largest_group_size({kernel, Precision::float64}));
    shape.groups = device.resident_groups({kernel, Precision::float64}, shape.group_size) + 1;
    result.shape = fmt::format("{} groups of {} run at the same time", shape.groups - 1, shape.group_size);
    result.outcomes.push_back(ask_the_plan(device));
    result.outcomes.push_back(force(device, shape));
    // A device may hold more than it promises; how many, only a barrier that fails can tell.
    const bool threads = device.description().backend == BackendChoice::host;
    for (int doubled = 0; doubled < most_doublings && !threads && result.outcomes.back().seen == 0;
         ++doubled) {
        shape.groups *= 2;
        result.outcomes.push_back(force(device, shape));
    }
    result.remark = explain(device, result.outcomes.back().seen == 0);
    return result;
}

}  // namespace perdure::litmus
