#include "solver/backends/barrier_self_test.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/backends/wait_limit.hpp"
#include "solver/backends/wait_record.hpp"
#include "sync/grid_barrier.h"

namespace perdure {
namespace {

const char *const kernel = "barrier_self_test";
constexpr std::uint32_t self_test_rounds = 50;
constexpr double patience_seconds = 5.0;
constexpr int attempts = 3;

BarrierTrial trial_on(Device &device, const run_parameters_t &parameters, LaunchShape shape) {
    const auto groups = static_cast<std::uint32_t>(shape.groups);
    KernelCall call{kernel, Precision::float64, {}};
    call.buffers = {
        {"control", sizeof(control_t), nullptr},
        {"sync", grid_sync_bytes(groups), nullptr},
        {"state", sizeof(run_state_t), nullptr},
        {"ring", sizeof(std::uint32_t) * groups * static_cast<std::size_t>(shape.group_size), nullptr}};
    call.cooperative = parameters.barrier == BARRIER_COOPERATIVE;
    const std::unique_ptr<DeviceRun> run = device.prepare(call, shape);
    run->launch(parameters, true);
    while (!run->finished(std::chrono::milliseconds(100))) {
    }
    const std::string abandoned = describe_abandoned_wait(*run, shape.groups);
    if (!abandoned.empty()) {
        return {abandoned, 0.0};
    }
    run_state_t state{};
    run->read(2, &state, sizeof state);
    if (state.control.wrong != 0 || state.control.stop != STOP_COMPLETE) {
        return {fmt::format("{} wrong values were read after a barrier in {} rounds with {} groups",
                            state.control.wrong, parameters.rounds, shape.groups),
                0.0};
    }
    return {{}, run->launch_seconds() / (2.0 * parameters.rounds)};
}

}  // namespace

BarrierTrial try_barrier(Device &device, std::uint32_t kind, LaunchShape shape, std::uint32_t rounds) {
    run_parameters_t parameters{};
    parameters.rounds = rounds;
    parameters.barrier = kind;
    parameters.wait_limit = wait_limit(device, patience_seconds);
    try {
        return trial_on(device, parameters, shape);
    } catch (const Failure &failure) {
        return {failure.what(), 0.0};
    }
}

std::string run_barrier_self_test(Device &device) {
    std::string failure;
    try {
        LaunchShape shape;
        shape.group_size =
            std::min(device.default_group_size(), device.largest_group_size({kernel, Precision::float64}));
        shape.groups = device.resident_groups({kernel, Precision::float64}, shape.group_size);
        // On a busy host a thread may not get a processor for seconds: that says nothing about the device.
        for (int attempt = 0; attempt < (device.description().gpu ? 1 : attempts); ++attempt) {
            failure = try_barrier(device, BARRIER_GROUP_LEADER, shape, self_test_rounds).failure;
            if (failure.empty()) {
                break;
            }
        }
    } catch (const Failure &refused) {
        failure = refused.what();
    }
    return failure.empty() ? failure
                           : fmt::format(
                                 "barrier self-test: {}; stop other work on the device, update its driver, "
                                 "or use another device",
                                 failure);
}

}  // namespace perdure
