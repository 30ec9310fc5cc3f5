// What the programs of all areas share: groups as threads. The first thing that goes wrong ends the program, which
// says it on the last line. Nothing here orders the memory of two groups between run_groups and its return.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "sync/group_context.h"

namespace perdure::tests {

[[noreturn]] inline void end(const char *outcome) {
    (void)write(STDOUT_FILENO, outcome, strlen(outcome));
    _exit(1);
}
inline void expect(bool right, const char *outcome) {
    if (!right) {
        end(outcome);
    }
}

/// What a program is built from: the area's program.cpp with one mutant of sync/ each. `wait_limit` is in nanoseconds.
struct Mutant {
    const char *name;
    void (*try_all)(std::uint64_t wait_limit);
};
/// Of this program; the last has no name.
extern const Mutant mutants[];

/// Waits, without ordering any memory, until all groups of the launch have come; `lined_up` starts at zero. A
/// slow group could otherwise see in a primitive's word what the others did since, and be ordered after it by
/// right.
inline void line_up(std::uint32_t *lined_up) {
    const std::uint32_t groups = perdure_group.count;
    const std::uint32_t before = __atomic_fetch_add(lined_up, 1U, __ATOMIC_RELAXED);
    const std::uint32_t all = (before / groups + 1) * groups;
    while (__atomic_load_n(lined_up, __ATOMIC_RELAXED) < all) {
        sched_yield();
    }
}

template <typename Body>
void run_groups(std::uint32_t groups, const Body &body) {
    std::vector<std::thread> threads;
    for (std::uint32_t group = 0; group < groups; ++group) {
        threads.emplace_back([group, groups, &body] {
            perdure_group = {group, groups};
            body();
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

/// `action` and all threads that it starts share one processor. The group that comes last goes on while the others
/// have yet to notice: who runs ahead does so in every run, however many processors there are.
template <typename Action>
void on_one_processor(const Action &action) {
    cpu_set_t before;
    CPU_ZERO(&before);
    expect(sched_getaffinity(0, sizeof before, &before) == 0, "error: the processors are not known\n");
    const int here = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(here < 0 ? 0 : here), &one);
    expect(sched_setaffinity(0, sizeof one, &one) == 0, "error: threads cannot be kept on one processor\n");
    action();
    expect(sched_setaffinity(0, sizeof before, &before) == 0, "error: the processors cannot be had back\n");
}

}  // namespace perdure::tests
