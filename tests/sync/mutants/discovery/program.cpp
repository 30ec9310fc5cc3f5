// Occupancy discovery: what was written before joining is read by all members right after, without a barrier;
// then the members' barriers, with groups that come late.
#include <unistd.h>

#include "sync/occupancy_discovery.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/mutants/mutant_program.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 groups = 5;
constexpr uint32 launches = 150;
constexpr uint32 barriers = 6;
constexpr uint64 delay = 300'000;

struct Shared {
    uint64 wait_limit = 0;
    uint32 lined_up = 0;
    GridSyncMemory sync{groups};
    std::vector<uint32> polls = std::vector<uint32>(launches);
    std::vector<uint64> of_group = std::vector<uint64>(groups);
    std::vector<uint64> of_rank = std::vector<uint64>(groups);
    std::vector<uint32> ranks = std::vector<uint32>(groups);
    std::vector<uint32> members = std::vector<uint32>(groups);
};

void pass_numbers_round(Shared &shared, const uint32 *found) {
    const uint32 rank = found[FOUND_RANK];
    const uint32 next = (rank + 1) % found[FOUND_MEMBERS];
    uint32 verdict = 0;
    grid_barrier_t state =
        make_grid_barrier(BARRIER_GROUP_LEADER, shared.sync.get(), &verdict, shared.wait_limit);
    for (uint32 barrier = 0; barrier < barriers; ++barrier) {
        if (barrier % 2 == 0) {
            shared.of_rank[rank] = barrier + rank;
        }
        expect(member_barrier(&state, rank, found[FOUND_MEMBERS], barrier) == 1,
               "abandoned: a barrier of the members was not passed\n");
        expect(barrier % 2 == 1 || shared.of_rank[next] == barrier + next,
               "wrong value: a member left the barrier early\n");
    }
}

/// All groups come at the same time: what they have written is there once all are known to be members.
void find_all(Shared &shared, uint32 launch) {
    shared.of_group[group_index()] = launch;
    line_up(&shared.lined_up);
    uint32 found[FOUND_WORDS];
    discover_members(&shared.polls[launch], found, shared.wait_limit);
    expect(found[FOUND_MEMBERS] == groups, "wrong count: a group was left out\n");
    for (const uint64 value : shared.of_group) {
        expect(value == launch, "wrong value\n");
    }
    pass_numbers_round(shared, found);
}

/// Some groups come when they like.
void find_some(Shared &shared, uint32 launch) {
    line_up(&shared.lined_up);
    if ((group_index() + launch) % 2 == 0) {
        std::this_thread::sleep_for(std::chrono::nanoseconds(delay * (launch % 5) / 3));
    }
    uint32 found[FOUND_WORDS];
    discover_members(&shared.polls[launch], found, delay);
    shared.ranks[group_index()] = found[FOUND_RANK];
    shared.members[group_index()] = found[FOUND_MEMBERS];
    if (found[FOUND_MEMBERS] != 0) {
        expect(found[FOUND_RANK] < found[FOUND_MEMBERS], "wrong rank\n");
        pass_numbers_round(shared, found);
    }
}

void check_numbers(const Shared &shared, uint32 launch) {
    const uint32 members = shared.polls[launch] & ~POLL_CLOSED;
    std::vector<uint32> of_rank(groups);
    uint32 found = 0;
    for (uint32 group = 0; group < groups; ++group) {
        if (shared.members[group] == 0) {
            continue;
        }
        expect(shared.members[group] == members, "wrong count: members were told different numbers\n");
        expect(of_rank[shared.ranks[group]]++ == 0, "wrong rank: given twice\n");
        ++found;
    }
    expect(found == members, "wrong count: not the number of members\n");
}

}  // namespace

void try_all(uint64 wait_limit) {
    Shared shared;
    shared.wait_limit = wait_limit;
    for (uint32 launch = 0; launch < launches; ++launch) {
        const bool all = launch % 2 == 0;
        run_groups(groups, [&shared, launch, all] { (all ? find_all : find_some)(shared, launch); });
        if (!all) {
            check_numbers(shared, launch);
        }
    }
}

}  // namespace perdure::tests
