#include <algorithm>

#include <fmt/format.h>

#include "solver/bench/contenders.hpp"

namespace perdure::bench {
namespace {

double median_of(const std::vector<Measurement> &measurements, const std::string &name) {
    const auto found = std::find_if(measurements.begin(), measurements.end(),
                                    [&](const Measurement &measurement) { return measurement.name == name; });
    return found != measurements.end() && found->measured() ? found->median() : 0.0;
}

}  // namespace

// A barrier: what was written has landed (store and fence), the arrival has been to memory and back (add),
// and the
// last arrival is seen (load). Between processors of a host, words move from cache to cache instead: the
// last arrival
// moves to a group that waits.
double Floors::barrier() const {
    return gpu ? store_and_fence + fetch_add + load : hand_over_ordered;
}

// The ticket comes before the barrier, and the last group loads what the others stored.
double Floors::last_group() const {
    return gpu ? store_and_fence + fetch_add + load + barrier() : hand_over_ordered + barrier();
}

// A store on its way to memory takes as long as a load's way there and back at most.
double Floors::halo_words() const {
    return gpu ? 2.0 * load : hand_over;
}

double Floors::flags_alone() const {
    return gpu ? store_and_fence + load : hand_over_ordered;
}

double Floors::halo_flags() const {
    return gpu ? store_and_fence + 2.0 * load : hand_over_ordered;
}

std::vector<std::pair<std::string, std::string>> Floors::formulas() const {
    if (gpu) {
        return {
            {"barrier", "store and fence + add (arrive) + load (detect)"},
            {"barrier and sum", "that of the barrier: the values travel beside it"},
            {"last group, then barrier", "store and fence + add (ticket) + load (partial sums) + barrier"},
            {"halo words", "load (the store's way there) + load (detect)"},
            {"flags alone", "store and fence + load (detect)"},
            {"halo flags", "store and fence + load (detect) + load (values)"}};
    }
    return {{"barrier", "an ordered hand-over: the last arrival moves to a group that waits"},
            {"barrier and sum", "that of the barrier: the values travel beside it"},
            {"last group, then barrier", "an ordered hand-over (partial sums) + barrier"},
            {"halo words", "a relaxed hand-over"},
            {"flags alone", "an ordered hand-over"},
            {"halo flags", "an ordered hand-over"}};
}

Floors floors_of(const Device &device, const std::vector<Measurement> &primitives) {
    Floors floors;
    floors.gpu = device.description().gpu;
    floors.load = median_of(primitives, load_primitive);
    floors.store_and_fence = median_of(primitives, store_and_fence_primitive);
    floors.fetch_add = median_of(primitives, fetch_add_primitive);
    floors.hand_over = median_of(primitives, hand_over_primitive);
    floors.hand_over_ordered = median_of(primitives, hand_over_ordered_primitive);
    return floors;
}

}  // namespace perdure::bench
