#include <algorithm>

#include <fmt/format.h>

#include "kernels/bench/variants.h"
#include "solver/measure/bench/contenders.hpp"
#include "sync/grid_barrier.h"

namespace perdure::bench {
namespace {

/// Rounds between two that check data where data are not what is timed: their cost does not show.
constexpr std::uint32_t seldom = 64;
constexpr std::uint32_t ring_copies = 2;
/// Steps of kernels/bench/bench_barrier.h, about 4 cycles each on GPUs.
constexpr std::uint32_t spread_steps = 128;

std::size_t lines(std::size_t count) {
    return count * WORDS_PER_LINE * sizeof(std::uint32_t);
}

TimedKernel barrier_rounds(std::string name, std::string kernel, LaunchShape shape,
                           std::uint32_t check_every) {
    TimedKernel timed;
    timed.section = "barrier";
    timed.name = std::move(name);
    timed.kernel = std::move(kernel);
    timed.shape = shape;
    timed.parameters.check_every = check_every;
    timed.buffers = {{"ring", lines(ring_copies * static_cast<std::size_t>(shape.groups)), nullptr}};
    return timed;
}

/// GPUs run kernels with the kind compiled in. PoCL's compiler takes barriers in groups of several items only as
/// solvers have them, with the kind chosen at run time.
std::string kernel_of(const Device &device, const NamedBarrier &barrier) {
    return device.description().gpu ? std::string("bench_") + barrier.name : "bench_barrier";
}

TimedKernel classical_rounds(std::string name, LaunchShape shape, std::uint32_t elements) {
    TimedKernel timed;
    timed.section = "classical";
    timed.name = std::move(name);
    timed.kernel = "bench_classical";
    timed.shape = shape;
    timed.parameters.elements = elements;
    const auto ones = std::make_shared<std::vector<std::uint32_t>>(elements, 1U);
    timed.initial = ones;
    timed.buffers = {{"values", sizeof(std::uint32_t) * elements, ones->data()},
                     {"sums", sizeof(std::uint32_t) * elements, nullptr}};
    return timed;
}

std::uint32_t power_of_three(std::uint64_t exponent) {
    std::uint32_t result = 1;
    for (std::uint32_t base = 3; exponent != 0; exponent /= 2, base *= base) {
        result *= exponent % 2 == 1 ? base : 1U;
    }
    return result;
}

/// Elements that are not what synchronised rounds make of them all.
std::uint64_t count_unequal(DeviceRun &run, std::uint64_t rounds, std::uint32_t elements) {
    const std::vector<std::uint32_t> values = read_words(run, first_own_buffer, elements);
    return elements -
           static_cast<std::uint64_t>(std::count(values.begin(), values.end(), power_of_three(rounds)));
}

}  // namespace

const std::vector<NamedBarrier> &barrier_kinds() {
    static const std::vector<NamedBarrier> kinds{{"group_leader", BARRIER_GROUP_LEADER},
                                                 {"all_items", BARRIER_ALL_ITEMS},
                                                 {"lock_free", BARRIER_LOCK_FREE},
                                                 {"tree", BARRIER_TREE},
                                                 {"cooperative", BARRIER_COOPERATIVE}};
    return kinds;
}

std::string barrier_missing(Device &device, std::uint32_t kind, int group_size) {
    if (kind == BARRIER_COOPERATIVE && !device.description().cooperative_barrier) {
        return "the platform has no grid barrier of its own";
    }
    if (kind == BARRIER_ALL_ITEMS && group_size > 1 && !device.description().items_progress) {
        return "items of a group are not guaranteed independent progress here, so only groups of 1 are "
               "measured";
    }
    return {};
}

/// The loop alone and the two barriers that are compared most, with groups that arrive at different times: where they
/// arrive together, polls keep step with the arrivals, and a few instructions more or less shift both.
std::vector<TimedKernel> spread_barriers(Device &device, LaunchShape shape) {
    std::vector<TimedKernel> list;
    TimedKernel alone = barrier_rounds("unsynchronised loop, arrivals spread", "bench_no_barrier", shape, 1);
    alone.completes = false;
    alone.waits = false;
    list.push_back(alone);
    for (const NamedBarrier &barrier : barrier_kinds()) {
        if (barrier.kind == BARRIER_GROUP_LEADER || barrier.kind == BARRIER_COOPERATIVE) {
            TimedKernel timed = barrier_rounds(fmt::format("{}, arrivals spread", barrier.name),
                                               kernel_of(device, barrier), shape, seldom);
            timed.parameters.barrier = barrier.kind;
            timed.cannot_run = barrier_missing(device, barrier.kind, shape.group_size);
            list.push_back(timed);
        }
    }
    for (TimedKernel &timed : list) {
        timed.parameters.delay = spread_steps;
    }
    return list;
}

std::vector<TimedKernel> barriers(Device &device, LaunchShape shape, const Floors &floors, bool with_data) {
    std::vector<TimedKernel> list;
    TimedKernel unsynchronised = barrier_rounds("unsynchronised loop", "bench_no_barrier", shape, 1);
    unsynchronised.completes = false;
    unsynchronised.waits = false;
    list.push_back(unsynchronised);
    for (const NamedBarrier &barrier : barrier_kinds()) {
        for (const std::uint32_t check_every : {seldom, 1U}) {
            if (check_every == 1U && !with_data) {
                continue;
            }
            TimedKernel timed = barrier_rounds(
                fmt::format("{}{}", barrier.name, check_every == 1U ? ", a word is passed on" : ""),
                kernel_of(device, barrier), shape, check_every);
            timed.parameters.barrier = barrier.kind;
            timed.cannot_run = barrier_missing(device, barrier.kind, shape.group_size);
            timed.floor = shape.groups > 1 ? floors.barrier() : 0.0;
            list.push_back(timed);
        }
    }
    if (with_data) {
        TimedKernel chosen =
            barrier_rounds("group_leader, chosen at run time", "bench_barrier", shape, seldom);
        chosen.parameters.barrier = BARRIER_GROUP_LEADER;
        chosen.floor = floors.barrier();
        list.push_back(chosen);
        for (const TimedKernel &timed : spread_barriers(device, shape)) {
            list.push_back(timed);
        }
    }
    return list;
}

std::vector<TimedKernel> classical(Device &device, LaunchShape shape, std::uint32_t elements) {
    std::vector<TimedKernel> list;
    for (const NamedBarrier &barrier : barrier_kinds()) {
        TimedKernel timed = classical_rounds(barrier.name, shape, elements);
        timed.parameters.barrier = barrier.kind;
        timed.cannot_run = barrier_missing(device, barrier.kind, shape.group_size);
        timed.count_wrong = [elements](DeviceRun &run, RoundsDone done) {
            return count_unequal(run, done.all, elements);
        };
        list.push_back(timed);
    }
    TimedKernel unsynchronised = classical_rounds("unsynchronised", shape, elements);
    unsynchronised.parameters.variant = ROUNDS_UNSYNCHRONISED;
    unsynchronised.completes = false;
    unsynchronised.waits = false;
    unsynchronised.expected_to_be_wrong = true;
    unsynchronised.count_wrong = [elements](DeviceRun &run, RoundsDone done) {
        return count_unequal(run, done.all, elements);
    };
    list.push_back(unsynchronised);
    return list;
}

}  // namespace perdure::bench
