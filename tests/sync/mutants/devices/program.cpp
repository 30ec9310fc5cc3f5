// The barrier and the last group of a launch over several devices: groups in parts, each with words of its own.
#include "sync/grid_barrier.h"
#include "sync/last_group.h"
#include "tests/sync/mutants/mutant_program.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 devices = 3;
constexpr uint32 groups = 2 * devices;
constexpr uint32 rounds = 200;
constexpr uint32 row_length = 40;

struct Shared {
    Shared() {
        for (uint32 device = 0; device < devices; ++device) {
            sync_of_device(sync, device)->devices_arrived = device % 2 == 0 ? 0x80000000U : 0U;
        }
    }

    std::vector<uint64> words = std::vector<uint64>(devices * DEVICE_SYNC_BYTES / sizeof(uint64));
    grid_sync_t *sync = reinterpret_cast<grid_sync_t *>(words.data());
    uint64 wait_limit = 0;
    uint32 lined_up = 0;
    std::vector<std::vector<uint64>> rows{groups, std::vector<uint64>(row_length)};
    uint64 sum = 0;
};

void write_row(Shared &shared, uint32 round) {
    line_up(&shared.lined_up);
    for (uint64 &value : shared.rows[group_index()]) {
        value = round + group_index();
    }
}

void meet(grid_barrier_t &barrier, uint32 round) {
    expect(grid_barrier(&barrier, round) == 1, "abandoned: a barrier was not passed\n");
}

/// Each group writes its row and reads those of all others after a barrier.
void run_rows(Shared &shared, grid_barrier_t &barrier, uint32 round) {
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

/// The last group of all adds up all rows; all groups read the sum after a barrier.
void run_reduction(Shared &shared, grid_barrier_t &barrier, uint32 round) {
    write_row(shared, round);
    uint32 verdict = 0;
    if (is_last_group(shared.sync, &verdict) == 1) {
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
