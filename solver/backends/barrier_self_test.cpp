#include <cmath>

#include <fmt/format.h>

#include "solver/backends/backend.hpp"

namespace perdure {
namespace {

constexpr std::uint32_t rounds = 50;
constexpr double patience_seconds = 5.0;

}  // namespace

std::string run_barrier_self_test(Device &device) {
    const char *const kernel = "barrier_self_test";
    LaunchShape shape;
    shape.group_size =
        std::min(device.default_group_size(), device.largest_group_size(kernel, Precision::float64));
    shape.groups = device.resident_groups(kernel, Precision::float64, shape.group_size);
    KernelCall call{kernel, Precision::float64, {}};
    call.buffers = {{"control", sizeof(control_t), nullptr},
                    {"sync", sizeof(grid_sync_t), nullptr},
                    {"state", sizeof(run_state_t), nullptr},
                    {"ring", sizeof(std::uint32_t) * static_cast<std::size_t>(shape.groups), nullptr}};
    run_parameters_t parameters{};
    parameters.rounds = rounds;
    parameters.wait_limit = static_cast<std::uint64_t>(patience_seconds * device.wait_units_per_second());
    try {
        const std::unique_ptr<DeviceRun> run = device.prepare(call, shape);
        run->launch(parameters, true);
        while (!run->finished(std::chrono::milliseconds(100))) {
        }
        run_state_t state{};
        grid_sync_t sync{};
        run->read(2, &state, sizeof state);
        run->read(1, &sync, sizeof sync);
        if (sync.abandoned != 0) {
            return fmt::format("barrier self-test: {} of {} groups arrived, group {} gave up waiting",
                               sync.arrived_groups, shape.groups, sync.waiting_group);
        }
        if (state.iteration != 0 || state.stop != STOP_COMPLETE) {
            return fmt::format(
                "barrier self-test: {} wrong values read behind a barrier in {} rounds of {} groups",
                state.iteration, rounds, shape.groups);
        }
    } catch (const Failure &failure) {
        return fmt::format("barrier self-test: {}", failure.what());
    }
    return {};
}

}  // namespace perdure
