#include "solver/backends/barrier_self_test.hpp"

#include <algorithm>
#include <chrono>

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

}  // namespace

void BarrierTrials::prepare(bool cooperative) {
    if (run_ && call_.cooperative == cooperative) {
        for (std::size_t i = 0; i < call_.buffers.size(); ++i) {
            run_->clear(i, call_.buffers[i].bytes);
        }
        return;
    }
    const auto groups = static_cast<std::uint32_t>(shape_.groups);
    call_ = {kernel, Precision::float64, {}};
    call_.buffers = {
        {"control", sizeof(control_t), nullptr},
        {"sync", grid_sync_bytes(groups), nullptr},
        {"state", sizeof(run_state_t), nullptr},
        {"ring", sizeof(std::uint32_t) * groups * static_cast<std::size_t>(shape_.group_size), nullptr}};
    call_.cooperative = cooperative;
    run_ = device_.prepare(call_, shape_);
}

BarrierTrial BarrierTrials::launch(const run_parameters_t &parameters) {
    prepare(parameters.barrier == BARRIER_COOPERATIVE);
    run_->launch(parameters, true);
    while (!run_->finished(std::chrono::milliseconds(100))) {
    }
    const std::string abandoned = describe_abandoned_wait(*run_, shape_.groups);
    if (!abandoned.empty()) {
        return {abandoned, 0.0};
    }
    run_state_t state{};
    run_->read(buffer_state, &state, sizeof state);
    if (state.control.wrong != 0 || state.control.stop != STOP_COMPLETE) {
        return {fmt::format("{} wrong values were read after a barrier in {} rounds with {} groups",
                            state.control.wrong, parameters.rounds, shape_.groups),
                0.0};
    }
    return {{}, run_->launch_seconds() / (2.0 * parameters.rounds)};
}

BarrierTrial BarrierTrials::run(std::uint32_t kind, std::uint32_t rounds) {
    run_parameters_t parameters{};
    parameters.rounds = rounds;
    parameters.barrier = kind;
    parameters.wait_limit = wait_limit(device_, patience_seconds);
    BarrierTrial trial;
    try {
        trial = launch(parameters);
    } catch (const Failure &failure) {
        trial = {failure.what(), 0.0};
    }
    if (!trial.failure.empty()) {
        run_.reset();  // the next trial does not begin with what this one has left
    }
    return trial;
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
            failure = BarrierTrials(device, shape).run(BARRIER_GROUP_LEADER, self_test_rounds).failure;
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
