#include "solver/run/choose_barrier.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "solver/backends/barrier_self_test.hpp"
#include "sync/grid_barrier.h"

namespace perdure {
namespace {

constexpr std::uint32_t rounds = 50;
constexpr int repetitions = 3;
constexpr double worth_while = 0.9;

double shortest_time(Device &device, BarrierChoice barrier, LaunchShape shape) {
    double shortest = std::numeric_limits<double>::infinity();
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        const BarrierTrial trial = try_barrier(device, barrier_kind(barrier), shape, rounds);
        if (!trial.failure.empty()) {
            return std::numeric_limits<double>::infinity();
        }
        shortest = std::min(shortest, trial.seconds);
    }
    return shortest;
}

struct Fastest {
    BarrierChoice barrier = BarrierChoice::group_leader;
    double seconds = 0.0;
};

Fastest measure_fastest(Device &device, LaunchShape shape) {
    Fastest fastest{BarrierChoice::group_leader, shortest_time(device, BarrierChoice::group_leader, shape)};
    const double bar = worth_while * fastest.seconds;
    for (const BarrierChoice barrier : {BarrierChoice::tree, BarrierChoice::lock_free}) {
        const double seconds = shortest_time(device, barrier, shape);
        if (seconds < std::min(bar, fastest.seconds)) {
            fastest = {barrier, seconds};
        }
    }
    return fastest;
}

/// Measured once per device and shape.
Fastest fastest_barrier(Device &device, LaunchShape shape) {
    using Key = std::tuple<BackendChoice, std::string, int, int>;
    static std::map<Key, Fastest> measured;
    const DeviceDescription &description = device.description();
    const Key key{description.backend, description.name, shape.groups, shape.group_size};
    const auto known = measured.find(key);
    return known != measured.end() ? known->second
                                   : measured.emplace(key, measure_fastest(device, shape)).first->second;
}

}  // namespace

std::uint32_t barrier_kind(BarrierChoice barrier) {
    switch (barrier) {
        case BarrierChoice::all_items:
            return BARRIER_ALL_ITEMS;
        case BarrierChoice::lock_free:
            return BARRIER_LOCK_FREE;
        case BarrierChoice::tree:
            return BARRIER_TREE;
        case BarrierChoice::cooperative:
            return BARRIER_COOPERATIVE;
        default:
            return BARRIER_GROUP_LEADER;
    }
}

void check_barrier(const Config &config, const DeviceDescription &device, int group_size) {
    const BarrierChoice barrier = config.execution.barrier;
    if (barrier == BarrierChoice::cooperative && !device.cooperative_barrier) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("execution.barrier: {} has no cooperative barrier of its own, only CUDA devices "
                        "have; leave the key out to take the fastest of group_leader, lock_free and tree",
                        device.name));
    }
    if (barrier == BarrierChoice::all_items && group_size > 1 && !device.items_progress) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("execution.barrier: all_items needs items that make progress each on their own, "
                        "which {} does not promise for groups of {}; use execution.group_size: 1 or "
                        "another barrier",
                        device.name, group_size));
    }
}

void choose_barrier(const Config &config, Device &device, LaunchPlan &plan) {
    if (plan.model != ExecutionModel::persistent || plan.shape.groups == 1) {
        return;
    }
    if (config.execution.barrier == BarrierChoice::automatic) {
        const Fastest fastest = fastest_barrier(device, plan.shape);
        plan.barrier = fastest.barrier;
        plan.barrier_seconds = fastest.seconds;
        return;
    }
    const BarrierTrial trial = try_barrier(device, barrier_kind(plan.barrier), plan.shape, rounds);
    if (!trial.failure.empty()) {
        throw Failure(ExitCode::device,
                      fmt::format("execution.barrier: {} fails on {}: {}", name(plan.barrier),
                                  device.description().name, trial.failure));
    }
    plan.barrier_seconds = trial.seconds;
}

}  // namespace perdure
