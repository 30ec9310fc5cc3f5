#include "solver/litmus/launch_experiment.hpp"

#include <algorithm>

#include "kernels/litmus/counts.h"

namespace perdure::litmus {
namespace {

constexpr double patience_seconds = 2.0;

}  // namespace

LaunchShape resident_shape(Device &device, const std::string &kernel, int group_size, int most, int threads) {
    const int size = std::min(group_size, device.largest_group_size(kernel, Precision::float64));
    const int least = device.description().backend == BackendChoice::host ? threads : 1;
    const int groups =
        std::min(std::max(device.resident_groups(kernel, Precision::float64, size), least), most);
    return {groups > 1 ? groups / 2 * 2 : groups, size};
}

Outcome launch_experiment(Device &device, const std::string &kernel, const Variant &variant,
                          const Setup &setup) {
    run_parameters_t parameters{};
    parameters.variant = variant.number;
    parameters.rounds = setup.rounds;
    parameters.elements = setup.elements;
    parameters.barrier = BARRIER_GROUP_LEADER;
    parameters.wait_limit = static_cast<std::uint64_t>(patience_seconds * device.wait_units_per_second());
    KernelCall call{kernel, Precision::float64, {}};
    call.buffers = {{"control", sizeof(control_t), nullptr},
                    {"sync", grid_sync_bytes(static_cast<std::uint32_t>(setup.shape.groups)), nullptr},
                    {"state", sizeof(run_state_t), nullptr},
                    {"counts", sizeof(litmus_counts_t), nullptr},
                    {"words", sizeof(std::uint32_t) * setup.words, nullptr}};
    const std::unique_ptr<DeviceRun> run = device.prepare(call, setup.shape);
    run->launch(parameters, true);
    while (!run->finished(std::chrono::milliseconds(100))) {
    }
    litmus_counts_t counts{};
    grid_sync_t sync{};
    run->read(3, &counts, sizeof counts);
    run->read(1, &sync, sizeof sync);
    Outcome outcome{variant.name, variant.model, counts.trials, counts.seen, counts.given_up, 0.0, ""};
    outcome.waits_given_up = std::max<std::uint64_t>(outcome.waits_given_up, sync.abandoned);
    outcome.seconds = run->launch_seconds();
    return outcome;
}

}  // namespace perdure::litmus
