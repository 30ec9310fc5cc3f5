#include <algorithm>

#include <fmt/format.h>

#include "solver/measure/bench/contenders.hpp"

namespace perdure::bench {
namespace {

double median_of(const std::vector<Measurement> &measurements, const std::string &name) {
    const auto found = std::find_if(measurements.begin(), measurements.end(),
                                    [&](const Measurement &measurement) { return measurement.name == name; });
    return found != measurements.end() && found->measured() ? found->median() : 0.0;
}

}  // namespace

// On GPUs a trip is an L2 load's: an arrival or a word on its way in, and the answer of a poll that meets it
// there on its way out. It is the least for hand-overs that are awaited by polls, and no pair of groups comes near
// it: a poll may have left just before. Between processors of a host, words move from cache to cache instead.

// Items meet, what they wrote is released, the last arrival goes in and the answer comes out, what others wrote
// is acquired, items meet.
double Floors::barrier() const {
    return gpu ? 2.0 * group_barrier + fence + load + fence_acquire : hand_over_ordered;
}

// And every group loads the values.
double Floors::barrier_and_sum() const {
    return gpu ? barrier() + load + group_barrier : hand_over_ordered;
}

// A ticket is drawn and comes back before the last group loads the values; then the go flag is a barrier's
// second half.
double Floors::last_group() const {
    return gpu ? barrier_and_sum() + fence + fetch_add : 2.0 * hand_over_ordered;
}

double Floors::halo_words() const {
    return gpu ? load + group_barrier : hand_over;
}

double Floors::flags_alone() const {
    return barrier();
}

// What the items wrote is still on its way, and is loaded from there.
double Floors::halo_flags() const {
    return gpu ? barrier() + (store_and_fence - fence) + load : hand_over_ordered;
}

std::vector<std::pair<std::string, std::string>> Floors::formulas() const {
    if (gpu) {
        return {{"barrier", "2 group barriers + fence + load (in and out) + fence acquire"},
                {"barrier and sum", "barrier + load (values) + group barrier"},
                {"last group, go flag", "barrier and sum + fence + add (the ticket, there and back)"},
                {"halo words", "load (in and out) + group barrier"},
                {"flags alone", "that of the barrier"},
                {"halo flags", "barrier + (store and fence - fence) + load (values)"}};
    }
    return {{"barrier", "an ordered hand-over: the last arrival moves to a group that waits"},
            {"barrier and sum", "that of the barrier: the values travel beside it"},
            {"last group, go flag", "two ordered hand-overs: the ticket and the flag"},
            {"halo words", "a relaxed hand-over"},
            {"flags alone", "an ordered hand-over"},
            {"halo flags", "an ordered hand-over"}};
}

Floors floors_of(const Device &device, const std::vector<Measurement> &primitives) {
    Floors floors;
    floors.gpu = device.description().gpu;
    floors.load = median_of(primitives, load_primitive);
    floors.fence = median_of(primitives, fence_primitive);
    floors.fence_acquire = median_of(primitives, fence_acquire_primitive);
    floors.group_barrier = median_of(primitives, group_barrier_primitive);
    floors.store_and_fence = median_of(primitives, store_and_fence_primitive);
    floors.fetch_add = median_of(primitives, fetch_add_primitive);
    floors.hand_over = median_of(primitives, hand_over_primitive);
    floors.hand_over_ordered = median_of(primitives, hand_over_ordered_primitive);
    return floors;
}

}  // namespace perdure::bench
