#include "solver/measure/litmus/launch_experiment.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/litmus/counts.h"
#include "solver/backends/wait_limit.hpp"

namespace perdure::litmus {
namespace {

constexpr double patience_seconds = 2.0;

struct Launched {
    litmus_counts_t counts{};
    double seconds = 0.0;
};

Launched launch_once(Device &device, const std::string &kernel, run_parameters_t parameters,
                     const Setup &setup) {
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
    Launched launched;
    grid_sync_t sync{};
    run->read(3, &launched.counts, sizeof launched.counts);
    run->read(1, &sync, sizeof sync);
    launched.counts.given_up = std::max(launched.counts.given_up, sync.abandoned);
    launched.seconds = run->launch_seconds();
    return launched;
}

}  // namespace

LaunchShape resident_shape(Device &device, const std::string &kernel, int group_size, int most, int threads) {
    const int size = std::min(group_size, device.largest_group_size({kernel, Precision::float64}));
    const int least = device.description().backend == BackendChoice::host ? threads : 1;
    const int groups =
        std::min(std::max(device.resident_groups({kernel, Precision::float64}, size), least), most);
    return {groups > 1 ? groups / 2 * 2 : groups, size};
}

Outcome launch_experiment(Device &device, const std::string &kernel, const Variant &variant,
                          const Setup &setup) {
    run_parameters_t parameters{};
    parameters.variant = variant.number;
    parameters.rounds = setup.rounds;
    parameters.elements = setup.elements;
    parameters.barrier = BARRIER_GROUP_LEADER;
    parameters.wait_limit = wait_limit(device, patience_seconds);
    Outcome outcome{variant.name, variant.model, 0, 0, 0, 0.0, ""};
    std::uint64_t overlaps = 0;
    int launches = 0;
    do {
        const Launched launched = launch_once(device, kernel, parameters, setup);
        outcome.trials += launched.counts.trials;
        outcome.seen += launched.counts.seen;
        outcome.waits_given_up += launched.counts.given_up;
        outcome.seconds += launched.seconds;
        overlaps += launched.counts.overlaps + launched.counts.seen;
        parameters.rounds *= 2;
        ++launches;
    } while (overlaps < setup.overlaps && outcome.waits_given_up == 0 && outcome.seconds < longest_search &&
             launches < most_launches);
    if (overlaps < setup.overlaps) {
        outcome.note =
            fmt::format("the groups ran one after the other in {} launch{}, so this result says nothing",
                        launches, launches == 1 ? "" : "es");
    }
    return outcome;
}

}  // namespace perdure::litmus
