#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "kernels/bench/variants.h"
#include "solver/measure/bench/contenders.hpp"

namespace perdure::bench {
namespace {

constexpr std::size_t words_buffer = first_own_buffer;
constexpr std::size_t wide_words_buffer = first_own_buffer + 1;
constexpr std::size_t results_buffer = first_own_buffer + 2;
constexpr std::uint32_t places = 512;  // of the chain, a cache line each: 64 KiB

/// One cycle through all places, in a random order that no prefetcher knows.
std::shared_ptr<std::vector<std::uint32_t>> random_cycle() {
    std::vector<std::uint32_t> order(places);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
    auto next = std::make_shared<std::vector<std::uint32_t>>(std::size_t{places} * WORDS_PER_LINE);
    for (std::uint32_t step = 0; step < places; ++step) {
        next->at(order[step] * WORDS_PER_LINE) = order[(step + 1) % places] * WORDS_PER_LINE;
    }
    return next;
}

std::uint32_t follow(const std::vector<std::uint32_t> &next, std::uint32_t steps) {
    std::uint32_t place = 0;
    for (std::uint32_t step = 0; step < steps % places; ++step) {
        place = next[place];
    }
    return place;
}

TimedKernel primitive(const char *name, std::uint32_t variant, LaunchShape shape) {
    TimedKernel timed;
    timed.section = "primitive";
    timed.name = name;
    timed.kernel = "bench_primitives";
    timed.shape = shape;
    timed.parameters.variant = variant;
    timed.completes = false;
    timed.waits = false;
    timed.buffers = {{"words", sizeof(std::uint32_t) * places * WORDS_PER_LINE, nullptr},
                     {"wide_words", sizeof(std::uint64_t) * places * WORDS_PER_LINE, nullptr},
                     {"results", sizeof(std::uint32_t) * static_cast<std::size_t>(shape.groups), nullptr}};
    return timed;
}

TimedKernel chain(const char *name, std::uint32_t variant, LaunchShape shape) {
    TimedKernel timed = primitive(name, variant, shape);
    const auto cycle = random_cycle();
    timed.initial = cycle;
    timed.buffers[0].initial = cycle->data();
    timed.count_wrong = [next = cycle](DeviceRun &run, RoundsDone done) -> std::uint64_t {
        return read_words(run, results_buffer, 1)[0] == follow(*next, done.last_launch) ? 0 : 1;
    };
    return timed;
}

template <typename Word>
Word sum_of(DeviceRun &run, std::size_t buffer) {
    std::vector<Word> words(std::size_t{places} * WORDS_PER_LINE);
    run.read(buffer, words.data(), sizeof(Word) * words.size());
    return std::accumulate(words.begin(), words.end(), Word{0});
}

/// `adders` add 1 in every round; a time is one of an add: of one adder's, or of all of them where
/// `throughput`.
TimedKernel counter(const char *name, std::uint32_t variant, LaunchShape shape, std::uint64_t adders,
                    bool throughput = false) {
    TimedKernel timed = primitive(name, variant, shape);
    const bool wide = variant == PRIMITIVE_FETCH_ADD_64 || variant == PRIMITIVE_ADD_64;
    timed.operations_per_round = throughput ? static_cast<double>(adders) : 1.0;
    timed.parameters.nx = throughput ? 0 : places - 1;
    timed.count_wrong = [=](DeviceRun &run, RoundsDone done) -> std::uint64_t {
        const std::uint64_t expected = done.all * adders;
        return wide ? sum_of<std::uint64_t>(run, wide_words_buffer) != expected
                    : sum_of<std::uint32_t>(run, words_buffer) != static_cast<std::uint32_t>(expected);
    };
    return timed;
}

TimedKernel store_and_fence(LaunchShape shape) {
    TimedKernel timed = primitive(store_and_fence_primitive, PRIMITIVE_STORE_FENCE, shape);
    timed.parameters.nx = places - 1;
    timed.count_wrong = [](DeviceRun &run, RoundsDone done) -> std::uint64_t {
        const std::uint32_t last = done.last_launch;
        return read_words(run, words_buffer,
                          std::size_t{places} * WORDS_PER_LINE)[(last & (places - 1)) * WORDS_PER_LINE] ==
                       last
                   ? 0
                   : 1;
    };
    return timed;
}

TimedKernel hand_over(const char *name, std::uint32_t variant, int group_size) {
    TimedKernel timed = primitive(name, variant, {2, group_size});
    timed.operations_per_round = 2.0;
    timed.waits = true;
    return timed;
}

}  // namespace

std::vector<TimedKernel> primitives(Device &device, LaunchShape shape) {
    const int smallest = device.description().backend == BackendChoice::cuda ? 32 : 1;
    const LaunchShape lone{1, std::min(shape.group_size, smallest)};
    const auto groups = static_cast<std::uint64_t>(shape.groups);
    const std::uint64_t items = groups * static_cast<std::uint64_t>(shape.group_size);
    std::vector<TimedKernel> list{
        chain(load_primitive, PRIMITIVE_LOAD, lone),
        chain("load acquire, each on the one before", PRIMITIVE_LOAD_ACQUIRE, lone),
        primitive(fence_primitive, PRIMITIVE_FENCE_ACQ_REL, lone),
        primitive(fence_acquire_primitive, PRIMITIVE_FENCE_ACQUIRE, lone),
        store_and_fence(lone),
        counter(fetch_add_primitive, PRIMITIVE_FETCH_ADD_32, lone, 1),
        counter("add 64 bits, value returned", PRIMITIVE_FETCH_ADD_64, lone, 1),
        counter("add 32 bits acq_rel, value returned", PRIMITIVE_FETCH_ADD_32_ACQ_REL, lone, 1),
        counter("add 32 bits, no value", PRIMITIVE_ADD_32, lone, 1),
        counter("add 64 bits, no value", PRIMITIVE_ADD_64, lone, 1),
        counter("add 32 bits, value returned, leaders of all groups to one word", PRIMITIVE_FETCH_ADD_32,
                shape, groups, true),
        counter("add 32 bits, no value, leaders of all groups to one word", PRIMITIVE_ADD_32, shape, groups,
                true),
        counter("add 32 bits, value returned, all items to one word", PRIMITIVE_FETCH_ADD_32_ALL_ITEMS, shape,
                items, true),
        counter("add 32 bits, no value, all items to one word", PRIMITIVE_ADD_32_ALL_ITEMS, shape, items,
                true),
        primitive(group_barrier_primitive, PRIMITIVE_GROUP_BARRIER, shape),
        hand_over(hand_over_primitive, PRIMITIVE_HAND_OVER, lone.group_size),
        hand_over(hand_over_ordered_primitive, PRIMITIVE_HAND_OVER_ORDERED, lone.group_size),
    };
    return list;
}

}  // namespace perdure::bench
