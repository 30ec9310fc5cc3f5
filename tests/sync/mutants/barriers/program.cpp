// Every kind of grid barrier and the last group. The tree has two children a node, so
// that few groups make three levels.
#define TREE_FAN 2u

#include "sync/grid_barrier.h"
#include "sync/last_group.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/mutants/mutant_program.hpp"
#include "tests/sync/one_barrier.hpp"
#include "tests/sync/rows_of_groups.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 groups = 5;
constexpr uint32 rounds = 200;
constexpr uint32 kinds[] = {BARRIER_GROUP_LEADER, BARRIER_ALL_ITEMS, BARRIER_LOCK_FREE, BARRIER_TREE};

/// Every counter wraps around, or its top bit flips, in the middle of the run.
struct Shared {
    Shared() {
        const uint32 start = 0U - rounds;
        sync->released = start;
        for (uint32 group = 0; group < groups; ++group) {
            sync.row(ROW_ARRIVED)[group] = start;
            sync.row(ROW_RELEASED)[group] = start;
        }
    }

    GridSyncMemory sync{groups};
    uint64 wait_limit = 0;
    RowsOfGroups rows{groups};
};

/// Each group writes its row and reads those of all others after a barrier.
void run_rows(Shared &shared, uint32 kind, uint32 round) {
    uint32 verdict = 0;
    grid_barrier_t barrier = make_grid_barrier(kind, shared.sync.get(), &verdict, shared.wait_limit);
    shared.rows.write_own(round);
    meet(barrier, round);
    shared.rows.expect_those_of_others(round);
    meet(barrier, round);
}

/// The last group adds up all rows; all groups read the sum after a barrier.
void run_reduction(Shared &shared, uint32 round) {
    shared.rows.write_own(round);
    uint32 verdict = 0;
    grid_barrier_t barrier =
        make_grid_barrier(BARRIER_GROUP_LEADER, shared.sync.get(), &verdict, shared.wait_limit);
    if (is_last_group(shared.sync.get(), &verdict) == 1) {
        shared.rows.add_up();
    }
    meet(barrier, round);
    shared.rows.expect_sum(round);
    meet(barrier, round);
}

/// The last group stays away: group 0 gives up first, all others leave, and say so.
void run_abandoned(Shared &shared, uint32 kind) {
    const uint32 missing = groups - 1;
    const uint32 phase = 1000 + kind;
    run_groups(groups, [&] {
        if (group_index() != missing) {
            const uint64 limit = shared.wait_limit / (group_index() == 0 ? 50 : 10);
            expect(one_barrier(kind, shared.sync.get(), phase, limit) == 0,
                   "wrong verdict: a barrier without one of the groups was passed\n");
        }
    });
    const uint32 *left = shared.sync.row(ROW_LEFT);
    expect(shared.sync->abandoned == 1 && shared.sync->waiting_phase == phase &&
               shared.sync->waiting_group < missing,
           "wrong record of an abandoned wait\n");
    expect(left[shared.sync->waiting_group] == LEFT_WAITING, "wrong record of who left\n");
    for (uint32 group = 0; group < groups; ++group) {
        expect((left[group] == 0) == (group == missing), "wrong record of who left\n");
    }
}

/// The same, one group after the other: what the first leaves behind lets nobody pass.
void run_in_turn(Shared &shared, uint32 kind) {
    for (uint32 group = 0; group < groups - 1; ++group) {
        perdure_group = {group, groups};
        expect(one_barrier(kind, shared.sync.get(), 1, shared.wait_limit / 50) == 0,
               "wrong verdict: a barrier without one of the groups was passed\n");
    }
}

}  // namespace

void try_all(uint64 wait_limit) {
    for (const uint32 kind : kinds) {
        Shared without_one;
        Shared in_turn;
        without_one.wait_limit = in_turn.wait_limit = wait_limit;
        run_abandoned(without_one, kind);
        run_in_turn(in_turn, kind);
    }
    Shared shared;
    shared.wait_limit = wait_limit;
    run_groups(groups, [&shared] {
        for (uint32 round = 1; round <= rounds; ++round) {
            for (const uint32 kind : kinds) {
                run_rows(shared, kind, round);
            }
            run_reduction(shared, round);
        }
    });
}

}  // namespace perdure::tests
