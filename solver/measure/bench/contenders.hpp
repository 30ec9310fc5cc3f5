// What `perdure bench sync` times, family by family: each function lists the kernels of one family for one
// shape.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/measure/bench/measure.hpp"

namespace perdure::bench {

/// Primitives that floors are derived from.
inline constexpr const char *load_primitive = "load, each on the one before";
inline constexpr const char *fence_primitive = "fence acq_rel";
inline constexpr const char *fence_acquire_primitive = "fence acquire";
inline constexpr const char *group_barrier_primitive = "group barrier";
inline constexpr const char *store_and_fence_primitive = "store, fence acq_rel";
inline constexpr const char *fetch_add_primitive = "add 32 bits, value returned";
inline constexpr const char *hand_over_primitive = "a word from group to group, relaxed";
inline constexpr const char *hand_over_ordered_primitive = "a word from group to group, release and acquire";

/// Loads, fences, atomics, the group barrier, and a word handed from group to group. `shape` is that of the
/// barriers beside which they are measured: single items work in one group of it, contended adds use all groups.
std::vector<TimedKernel> primitives(Device &device, LaunchShape shape);

/// What the parts of a synchronisation cost on the device, in ns, and what follows from it: the least that a
/// synchronisation can take whose steps depend on each other. Derivations: floors.cpp.
struct Floors {
    bool gpu = false;
    double load = 0.0;  // L2 on GPUs
    double fence = 0.0;
    double fence_acquire = 0.0;
    double group_barrier = 0.0;
    double store_and_fence = 0.0;
    double fetch_add = 0.0;
    double hand_over = 0.0;          // of a word to another group, relaxed
    double hand_over_ordered = 0.0;  // release and acquire

    [[nodiscard]] double barrier() const;
    [[nodiscard]] double barrier_and_sum() const;
    [[nodiscard]] double last_group() const;
    [[nodiscard]] double halo_words() const;
    [[nodiscard]] double flags_alone() const;
    [[nodiscard]] double halo_flags() const;
    /// In words, for reports.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> formulas() const;
};

Floors floors_of(const Device &device, const std::vector<Measurement> &primitives);

/// The loop without a barrier and every barrier; `with_data`: also with a word that each group passes on.
std::vector<TimedKernel> barriers(Device &device, LaunchShape shape, const Floors &floors, bool with_data);

/// Reductions whose result every group holds in the end.
std::vector<TimedKernel> reductions(Device &device, LaunchShape shape, const Floors &floors);

/// Groups on a torus that exchange their sides with four neighbours.
std::vector<TimedKernel> halo_exchanges(Device &device, LaunchShape shape, const Floors &floors);

/// The classical experiment for every barrier: `elements` elements.
std::vector<TimedKernel> classical(Device &device, LaunchShape shape, std::uint32_t elements);

struct NamedBarrier {
    const char *name;
    std::uint32_t kind;
};
const std::vector<NamedBarrier> &barrier_kinds();

/// Why the device cannot run this kind of barrier in groups of that size, or empty.
std::string barrier_missing(Device &device, std::uint32_t kind, int group_size);

}  // namespace perdure::bench
