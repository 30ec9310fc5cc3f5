// Every kind of grid barrier and the last group. The tree has two children a node, so
// that few groups make three levels.
#define TREE_FAN 2u

#include "sync/grid_barrier.h"
#include "sync/last_group.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/mutants/mutant_program.hpp"
#include "tests/sync/one_barrier.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 groups = 5;
constexpr uint32 rounds = 200;
constexpr uint32 row_length = 40;
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
    uint32 lined_up = 0;
    std::vector<std::vector<uint64>> rows{groups, std::vector<uint64>(row_length)};
    uint64 sum = 0;
};

void meet(grid_barrier_t &barrier, uint32 round) {
    expect(grid_barrier(&barrier, round) == 1, "abandoned: a barrier was not passed\n");
}

void write_row(Shared &shared, uint32 round) {
    line_up(&shared.lined_up);
    for (uint64 &value : shared.rows[group_index()]) {
        value = round + group_index();
    }
}

/// Each group writes its row and reads those of all others after a barrier.
void run_rows(Shared &shared, uint32 kind, uint32 round) {
    uint32 verdict = 0;
    grid_barrier_t barrier = make_grid_barrier(kind, shared.sync.get(), &verdict, shared.wait_limit);
    write_row(shared, round);
    meet(barrier, round);
    for (uint32 step = 1; step < groups; ++step) {
        const uint32 other = (group_index() + step) % groups;
        for (const uint64 value : shared.rows[other]) {
            expect(value == round + other, "wrong value: a group left the barrier early\n");
        }
    }
    meet(barrier, round);
}

/// The last group adds up all rows; all groups read the sum after a barrier.
void run_reduction(Shared &shared, uint32 round) {
    write_row(shared, round);
    uint32 verdict = 0;
    grid_barrier_t barrier =
        make_grid_barrier(BARRIER_GROUP_LEADER, shared.sync.get(), &verdict, shared.wait_limit);
    if (is_last_group(shared.sync.get(), &verdict) == 1) {
        uint64 sum = 0;
        for (const auto &row : shared.rows) {
            for (const uint64 value : row) {
                sum += value;
            }
        }
        shared.sum += sum;
    }
    meet(barrier, round);
    uint64 expected = 0;
    for (uint32 past = 1; past <= round; ++past) {
        expected += uint64{row_length} * (groups * past + groups * (groups - 1) / 2);
    }
    expect(shared.sum == expected, "wrong sum: not exactly one last group, or it missed a row\n");
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
