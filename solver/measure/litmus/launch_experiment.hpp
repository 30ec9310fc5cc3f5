// Runs one variant of an experiment.
#pragma once

#include <cstddef>

#include "solver/measure/litmus/litmus.hpp"

namespace perdure::litmus {

struct Variant {
    std::uint32_t number;  // the kernel's own
    const char *name;
    Model model;
};

struct Setup {
    LaunchShape shape;
    std::uint32_t rounds = 1;
    std::uint32_t elements = 1;
    std::size_t words = 0;  // that the kernel plays with
    /// Overlaps (kernels/litmus/counts.h) without which nothing can be seen: groups that happen to run one after the
    /// other are launched again, with twice the rounds. 0: the kernel makes its groups meet.
    std::uint32_t overlaps = 0;
};

/// Groups of `group_size` items that run at once, at most `most`, an even number where that is more than 1.
/// Host threads are at least `threads`.
LaunchShape resident_shape(Device &device, const std::string &kernel, int group_size, int most,
                           int threads = 2);

constexpr int most_launches = 8;
constexpr double longest_search = 3.0;  // s, for overlaps

/// Launches the kernel on fresh memory and waits for it; the outcome is that of all launches. Throws Failure(device).
Outcome launch_experiment(Device &device, const std::string &kernel, const Variant &variant,
                          const Setup &setup);

}  // namespace perdure::litmus
