#include "solver/measure/compare/copy_speed.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/parameters.h"
#include "solver/measure/compare/compare.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::compare {
namespace {

constexpr std::array group_sizes_on_gpus{512, 256, 1024};
// Words that a group copies in one go.
const std::vector<std::uint32_t> tiles_on_gpus{4096, 8192, 16384};
const std::vector<std::uint32_t> tiles_elsewhere{4096};
constexpr double enough_seconds_a_launch = 0.005;  // of a launch
constexpr std::uint32_t most_rounds = 1U << 16U;
constexpr std::int64_t mebibyte = 1 << 20;

double launch(DeviceRun &run, const run_parameters_t &parameters) {
    run.launch(parameters, false);
    while (!run.finished(std::chrono::milliseconds(100))) {
    }
    return run.launch_seconds();
}

LaunchShape shape_of(Device &device, int group_size) {
    LaunchShape shape;
    shape.group_size = group_size;
    shape.groups = std::max(1, device.resident_groups({"bench_copy", Precision::float64}, group_size));
    return shape;
}

std::vector<int> group_sizes(Device &device) {
    if (!device.description().gpu) {
        return {device.default_group_size()};
    }
    const int largest = device.largest_group_size({"bench_copy", Precision::float64});
    std::vector<int> sizes;
    for (const int size : group_sizes_on_gpus) {
        if (size <= largest) {
            sizes.push_back(size);
        }
    }
    return sizes.empty() ? std::vector<int>{largest} : sizes;
}

/// Seconds of a round; launches have as many rounds as take long enough, and no fewer than given. Empty when
/// a stop was asked for.
Samples time_rounds(DeviceRun &run, run_parameters_t &parameters, int launches) {
    launch(run, parameters);  // warms up
    double seconds = launch(run, parameters);
    while (seconds < enough_seconds_a_launch && parameters.rounds < most_rounds && !interrupted()) {
        const double wanted = 1.2 * enough_seconds_a_launch / std::max(seconds, 1.0e-7);
        parameters.rounds = static_cast<std::uint32_t>(
            std::min(parameters.rounds * std::clamp(wanted, 2.0, 16.0), 1.0 * most_rounds));
        seconds = launch(run, parameters);
    }
    Samples samples;
    for (int i = 0; i < launches && !interrupted(); ++i) {
        samples.values.push_back(launch(run, parameters) / parameters.rounds);
    }
    return samples;
}

}  // namespace

std::int64_t more_than_a_cache(const DeviceDescription &device) {
    const std::int64_t wanted = (device.gpu ? 512 : 128) * mebibyte;
    const auto free = static_cast<std::int64_t>(std::min(device.free_bytes / 8, device.largest_allocation));
    return std::max(mebibyte, std::min(wanted, free));
}

double copy_bytes_per_second(Device &device, std::int64_t bytes, int launches) {
    const auto words = static_cast<std::uint32_t>(std::clamp<std::int64_t>(bytes / 8, 1, 1U << 30U));
    KernelCall call{"bench_copy", Precision::float64, {}};
    call.buffers = {{"control", sizeof(control_t), nullptr},
                    {"sync", sizeof(grid_sync_t), nullptr},
                    {"state", sizeof(run_state_t), nullptr},
                    {"even", std::size_t{8} * words, nullptr},
                    {"odd", std::size_t{8} * words, nullptr}};
    run_parameters_t parameters{};
    parameters.elements = words;
    parameters.rounds = 1;
    double fastest = 0.0;
    for (const int group_size : group_sizes(device)) {
        const auto run = device.prepare(call, shape_of(device, group_size));
        for (const std::uint32_t tile : device.description().gpu ? tiles_on_gpus : tiles_elsewhere) {
            parameters.nx = tile;
            const Samples samples = time_rounds(*run, parameters, launches);
            if (!samples.empty()) {
                fastest = std::max(fastest, 16.0 * words / samples.median());
            }
        }
    }
    return fastest;
}

double copy_speed_of_ranks(Device &device, std::int64_t bytes, int launches) {
    const std::int64_t parts = ranks() != nullptr ? ranks()->count() : 1;
    double speed = 0.0;
    in_all_ranks([&] { speed = copy_bytes_per_second(device, bytes / parts, launches); });
    const double seconds = seconds_of_slowest(speed > 0.0 ? static_cast<double>(bytes) / speed : 0.0);
    return seconds > 0.0 ? static_cast<double>(parts * bytes) / seconds : 0.0;
}

}  // namespace perdure::compare
