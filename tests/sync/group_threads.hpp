// Groups of a launch as host threads, the way the host back end runs them.
#pragma once

#include <barrier>
#include <cstdint>
#include <thread>
#include <vector>

#include "sync/group_context.h"

namespace perdure::tests {

/// A limit of waits, in nanoseconds, that only a hang reaches.
constexpr std::uint64_t long_limit = 300'000'000'000;

/// Group counts to test with: one, even, odd, a power of two, more than most machines have processors.
constexpr std::uint32_t group_counts[] = {1, 2, 3, 5, 8, 16};

/// One launch: runs `body()` in `groups` threads that start together, each knowing its group; returns when
/// all have.
template <typename Body>
void run_groups(std::uint32_t groups, const Body &body) {
    std::barrier start(static_cast<std::ptrdiff_t>(groups));
    std::vector<std::thread> threads;
    for (std::uint32_t group = 0; group < groups; ++group) {
        threads.emplace_back([&start, &body, group, groups] {
            perdure_group = {group, groups};
            start.arrive_and_wait();
            body();
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

}  // namespace perdure::tests
