#include "solver/run/choose_barrier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "solver/backends/barrier_self_test.hpp"
#include "solver/problem/problem_findings.hpp"
#include "sync/grid_barrier.h"

namespace perdure {
namespace {

constexpr std::uint32_t rounds = 50;
constexpr int repetitions = 3;
constexpr double worth_while = 0.9;
constexpr const char *way_out =
    "lower execution.groups (1 needs no barrier), use execution.model: launches, or use another device";

struct Fastest {
    BarrierChoice barrier = BarrierChoice::group_leader;
    double seconds = std::numeric_limits<double>::infinity();  // infinite: no kind holds
    std::string failures;                                      // of the kinds that do not
};

double shortest_time(BarrierTrials &trials, BarrierChoice barrier, std::string &failures) {
    double shortest = std::numeric_limits<double>::infinity();
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        const BarrierTrial trial = trials.run(barrier_kind(barrier), rounds);
        if (!trial.failure.empty()) {
            failures += fmt::format("{}{}: {}", failures.empty() ? "" : "; ", name(barrier), trial.failure);
            return std::numeric_limits<double>::infinity();
        }
        shortest = std::min(shortest, trial.seconds);
    }
    return shortest;
}

Fastest measure_fastest(Device &device, LaunchShape shape) {
    BarrierTrials trials(device, shape);
    Fastest fastest;
    fastest.seconds = shortest_time(trials, fastest.barrier, fastest.failures);
    const double bar = worth_while * fastest.seconds;
    for (const BarrierChoice barrier : {BarrierChoice::tree, BarrierChoice::lock_free}) {
        const double seconds = shortest_time(trials, barrier, fastest.failures);
        if (seconds < std::min(bar, fastest.seconds)) {
            fastest.barrier = barrier;
            fastest.seconds = seconds;
        }
    }
    return fastest;
}

/// Measured once per device and shape; what failed is tried again.
Fastest fastest_barrier(Device &device, LaunchShape shape) {
    using Key = std::tuple<BackendChoice, std::string, int, int>;
    static std::map<Key, Fastest> measured;
    const DeviceDescription &description = device.description();
    const Key key{description.backend, description.name, shape.groups, shape.group_size};
    const auto known = measured.find(key);
    if (known != measured.end()) {
        return known->second;
    }
    const Fastest fastest = measure_fastest(device, shape);
    if (std::isfinite(fastest.seconds)) {
        measured.emplace(key, fastest);
    }
    return fastest;
}

/// The place of execution.barrier, or that of the section where the case leaves the choice to us.
const TextPosition &barrier_place(const Config &config) {
    const TextPosition &position = config.execution.barrier_position;
    return position.file.empty() ? config.execution.position : position;
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
        fail_at(barrier_place(config), ExitCode::case_or_usage, config,
                fmt::format("execution.barrier: {} has no cooperative barrier, which only CUDA devices have; "
                            "remove the key to use the fastest of group_leader, lock_free and tree",
                            device.name));
    }
    if (barrier == BarrierChoice::all_items && group_size > 1 && !device.items_progress) {
        fail_at(barrier_place(config), ExitCode::case_or_usage, config,
                fmt::format(
                    "execution.barrier: all_items needs independent progress of every item, which {} does "
                    "not guarantee for groups of {} items; use execution.group_size: 1 or another barrier",
                    device.name, group_size));
    }
}

void choose_barrier(const Config &config, Device &device, LaunchPlan &plan) {
    if (plan.model != ExecutionModel::persistent || plan.shape.groups == 1) {
        return;
    }
    if (config.execution.barrier == BarrierChoice::automatic) {
        const Fastest fastest = fastest_barrier(device, plan.shape);
        if (!std::isfinite(fastest.seconds)) {
            fail_at(
                barrier_place(config), ExitCode::device, config,
                fmt::format(
                    "execution.barrier: no barrier passes its test on {} with {} groups of {} items: {}; {}",
                    device.description().name, plan.shape.groups, plan.shape.group_size, fastest.failures,
                    way_out));
        }
        plan.barrier = fastest.barrier;
        plan.barrier_seconds = fastest.seconds;
        return;
    }
    const BarrierTrial trial = BarrierTrials(device, plan.shape).run(barrier_kind(plan.barrier), rounds);
    if (!trial.failure.empty()) {
        fail_at(barrier_place(config), ExitCode::device, config,
                fmt::format("execution.barrier: {} fails its test on {} with {} groups of {} items: {}; use "
                            "another barrier, or {}",
                            name(plan.barrier), device.description().name, plan.shape.groups,
                            plan.shape.group_size, trial.failure, way_out));
    }
    plan.barrier_seconds = trial.seconds;
}

}  // namespace perdure
