// One program over all synchronisation primitives; built against unmutated and mutated copies of sync/,
// always under ThreadSanitizer. Says on its last line what went wrong, if anything did. Nothing but the
// primitives orders its threads.
//   program [seconds after which it gives up]
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "sync/atomic_min.h"
#include "sync/grid_barrier.h"
#include "sync/last_group.h"

namespace {

constexpr uint32 groups = 4;
constexpr uint32 rounds = 300;
constexpr uint32 row_length = 40;

struct Shared {
    grid_sync_t sync{};
    uint64 wait_limit = 0;
    uint32 lined_up = 0;
    std::vector<std::vector<uint64>> rows{groups, std::vector<uint64>(row_length)};
    uint64 sum = 0;
    int64 minimum = ORDERED_PLUS_INFINITY;
};

[[noreturn]] void end(const char *outcome) {
    (void)write(STDOUT_FILENO, outcome, strlen(outcome));
    _exit(1);
}
void give_up(int) {
    end("watchdog: the program hangs\n");
}
void expect(bool right, const char *outcome) {
    if (!right) {
        end(outcome);
    }
}

void meet(Shared &shared, uint32 round) {
    uint32 verdict = 0;
    expect(grid_barrier(&shared.sync, &verdict, round, shared.wait_limit) == 1,
           "abandoned: a barrier was not passed\n");
}

/// Waits, without ordering any memory, until all groups have left the barrier before. A slow group could
/// otherwise see in the barrier's word what the others did since, and be ordered after it by right.
void line_up(Shared &shared) {
    const uint32 before = __atomic_fetch_add(&shared.lined_up, 1U, __ATOMIC_RELAXED);
    const uint32 all = (before / groups + 1) * groups;
    while (__atomic_load_n(&shared.lined_up, __ATOMIC_RELAXED) < all) {
        sched_yield();
    }
}

void write_row(Shared &shared, uint32 round) {
    line_up(shared);
    for (uint64 &value : shared.rows[group_index()]) {
        value = round + group_index();
    }
}

/// Each group writes its row and reads that of the next group after a barrier.
void run_ring(Shared &shared, uint32 round) {
    write_row(shared, round);
    meet(shared, round);
    const uint32 next = (group_index() + 1) % groups;
    for (const uint64 value : shared.rows[next]) {
        expect(value == round + next, "wrong value: a group left the barrier early\n");
    }
    meet(shared, round);
}

/// The last group adds up all rows; all groups read the sum after a barrier.
void run_reduction(Shared &shared, uint32 round) {
    write_row(shared, round);
    uint32 verdict = 0;
    if (is_last_group(&shared.sync, &verdict) == 1) {
        uint64 sum = 0;
        for (const auto &row : shared.rows) {
            for (const uint64 value : row) {
                sum += value;
            }
        }
        shared.sum += sum;
    }
    meet(shared, round);
    uint64 expected = 0;
    for (uint32 past = 1; past <= round; ++past) {
        expected += uint64{row_length} * (groups * past + groups * (groups - 1) / 2);
    }
    expect(shared.sum == expected, "wrong sum: not exactly one last group, or it missed a row\n");
    meet(shared, round);
}

double slack_of(uint32 group, uint32 round) {
    return static_cast<double>((group + round) % groups) - 1.5;
}

/// Whoever holds the smallest value, it is there after the barrier.
void run_minimum(Shared &shared, uint32 round) {
    line_up(shared);
    atomic_min_double(&shared.minimum, slack_of(group_index(), round));
    meet(shared, round);
    expect(ordered_value(shared.minimum) == -1.5, "wrong minimum\n");
    meet(shared, round);
    if (group_index() == 0) {
        shared.minimum = ORDERED_PLUS_INFINITY;
    }
    meet(shared, round);
}

/// Group 0 stays away: all others leave.
void run_abandoned(Shared &shared) {
    uint32 verdict = 0;
    if (group_index() != 0) {
        expect(grid_barrier(&shared.sync, &verdict, rounds + 1, shared.wait_limit / 50) == 0,
               "wrong verdict: a barrier without group 0 was passed\n");
    }
}

template <typename Body>
void run_groups(const Body &body) {
    std::vector<std::thread> threads;
    for (uint32 group = 0; group < groups; ++group) {
        threads.emplace_back([group, &body] {
            perdure_group = {group, groups};
            body();
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

}  // namespace

int main(int argc, char **argv) {
    (void)signal(SIGALRM, give_up);
    const unsigned seconds = argc > 1 ? static_cast<unsigned>(strtoul(argv[1], nullptr, 10)) : 60U;
    alarm(seconds);
    Shared shared;
    shared.wait_limit = seconds * uint64{1'000'000'000} / 5;
    run_groups([&shared] {
        for (uint32 round = 1; round <= rounds; ++round) {
            run_ring(shared, round);
            run_reduction(shared, round);
            run_minimum(shared, round);
        }
    });
    run_groups([&shared] { run_abandoned(shared); });
    const uint32 arrived = shared.sync.arrived_groups;
    expect(shared.sync.waiting_phase == rounds + 1 && arrived >= 1 && arrived < groups,
           "wrong record of an abandoned wait\n");
    (void)puts("right");
}
