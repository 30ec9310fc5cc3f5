// The barrier and the last group of a launch over several devices: groups in parts, each with words of its own.
#include "sync/grid_barrier.h"
#include "sync/last_group.h"
#include "tests/sync/mutants/mutant_program.hpp"
#include "tests/sync/rows_of_groups.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 devices = 3;
constexpr uint32 groups = 2 * devices;
constexpr uint32 rounds = 200;

struct Shared {
    Shared() {
        for (uint32 device = 0; device < devices; ++device) {
            sync_of_device(sync, device)->devices_arrived = device % 2 == 0 ? 0x80000000U : 0U;
        }
    }

    std::vector<uint64> words = std::vector<uint64>(devices * DEVICE_SYNC_BYTES / sizeof(uint64));
    grid_sync_t *sync = reinterpret_cast<grid_sync_t *>(words.data());
    uint64 wait_limit = 0;
    RowsOfGroups rows{groups};
};

/// Each group writes its row and reads those of all others after a barrier.
void run_rows(Shared &shared, grid_barrier_t &barrier, uint32 round) {
    shared.rows.write_own(round);
    meet(barrier, round);
    shared.rows.expect_those_of_others(round);
    meet(barrier, round);
}

/// The last group of all adds up all rows; all groups read the sum after a barrier.
void run_reduction(Shared &shared, grid_barrier_t &barrier, uint32 round) {
    shared.rows.write_own(round);
    uint32 verdict = 0;
    if (is_last_group(shared.sync, &verdict) == 1) {
        shared.rows.add_up();
    }
    meet(barrier, round);
    shared.rows.expect_sum(round);
    meet(barrier, round);
}

}  // namespace

void try_all(uint64 wait_limit) {
    Shared shared;
    shared.wait_limit = wait_limit;
    run_groups(groups, [&shared] {
        perdure_device_count = devices;
        uint32 verdict = 0;
        grid_barrier_t barrier =
            make_grid_barrier(BARRIER_GROUP_LEADER, shared.sync, &verdict, shared.wait_limit);
        for (uint32 round = 1; round <= rounds; ++round) {
            run_rows(shared, barrier, round);
            run_reduction(shared, barrier, round);
        }
    });
}

}  // namespace perdure::tests
