// A ring of slots that groups fill and a thread of the host empties: plain memory in each slot, a host that is slow, one that dies, and
// one that closes the ring.
#include <sched.h>
#include <unistd.h>

#include "sync/grid_barrier.h"
#include "sync/host_ring.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/mutants/mutant_program.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 groups = 3;
constexpr uint32 slots = 2;
constexpr uint32 snapshots = 300;

struct Shared {
    GridSyncMemory sync{groups};
    host_ring_t ring{};
    std::vector<double> values = std::vector<double>(std::size_t{slots} * groups);
};

double value_of(uint32 number, uint32 group) {
    return 10.0 * number + group;
}

/// 0 where the ring was given up.
uint32 fill_slots(Shared &shared, uint32 count, uint64 limit) {
    uint32 verdict = 0;
    grid_barrier_t barrier = make_grid_barrier(BARRIER_GROUP_LEADER, shared.sync.get(), &verdict, limit);
    for (uint32 number = 0; number < count; ++number) {
        uint64 polls = 0;
        if (!await_free_slot(&shared.ring, number, slots, shared.sync.get(), number, limit, &polls)) {
            return 0;
        }
        shared.values[number % slots * groups + group_index()] = value_of(number, group_index());
        expect(grid_barrier(&barrier, number) != 0, "abandoned: a barrier\n");
        if (group_index() == 0) {
            announce_slots(&shared.ring, number + 1);
        }
    }
    return 1;
}

void take_slots(Shared &shared, uint32 count) {
    for (uint32 number = 0; number < count; ++number) {
        for (uint64 polls = 0; announced_slots(&shared.ring) <= number; ++polls) {
            wait_pause(polls);
        }
        for (uint32 group = 0; group < groups; ++group) {
            expect(shared.values[number % slots * groups + group] == value_of(number, group),
                   "wrong value in a slot\n");
        }
        if (number % 16 == 0) {
            usleep(50); /* the ring fills up */
        }
        give_back_slots(&shared.ring, number + 1);
    }
}

void all_are_taken(uint64 limit) {
    Shared shared;
    open_ring(&shared.ring);
    std::thread host([&] { take_slots(shared, snapshots); });
    run_groups(groups, [&] { expect(fill_slots(shared, snapshots, limit) != 0, "abandoned: a slot\n"); });
    host.join();
}

/// A host that lives but takes nothing for longer than the limit.
void a_slow_disk(uint64 limit) {
    constexpr uint64 short_limit = 60'000'000;
    Shared shared;
    open_ring(&shared.ring);
    std::thread host([&] {
        for (uint64 waited = 0; waited < 10 * short_limit; waited += 1'000'000) {
            keep_ring_alive(&shared.ring);
            usleep(1000);
        }
        take_slots(shared, slots + 1);
    });
    run_groups(groups, [&] {
        expect(fill_slots(shared, slots + 1, limit < short_limit ? limit : short_limit) != 0,
               "abandoned: a slow host\n");
    });
    host.join();
}

void a_host_that_dies() {
    Shared shared;
    open_ring(&shared.ring);
    run_groups(groups, [&] {
        expect(fill_slots(shared, slots + 1, 5'000'000) == 0, "wrong verdict of a dead host\n");
    });
    expect(shared.sync->abandoned == 1, "wrong record of a dead host\n");
}

void a_closed_ring(uint64 limit) {
    Shared shared;
    open_ring(&shared.ring);
    close_ring(&shared.ring);
    run_groups(groups, [&] {
        expect(fill_slots(shared, slots + 1, limit) == 0, "wrong verdict of a closed ring\n");
    });
    expect(shared.sync->abandoned == 0, "abandoned: a closed ring\n");
}

/// The next launch of the same run.
void a_ring_opened_again(uint64 limit) {
    constexpr uint32 rounds = 40;
    Shared shared;
    for (uint32 round = 0; round < rounds; ++round) {
        open_ring(&shared.ring);
        close_ring(&shared.ring);
        run_groups(groups, [&] { fill_slots(shared, slots + 1, limit); });
        open_ring(&shared.ring);
        std::thread host([&] { take_slots(shared, slots + 3); });
        run_groups(groups, [&] {
            expect(fill_slots(shared, slots + 3, limit) != 0, "abandoned: a ring opened again\n");
        });
        host.join();
    }
}

}  // namespace

void try_all(uint64 wait_limit) {
    all_are_taken(wait_limit);
    a_closed_ring(wait_limit);
    a_ring_opened_again(wait_limit);
    a_host_that_dies();
    a_slow_disk(wait_limit);
}

}  // namespace perdure::tests
