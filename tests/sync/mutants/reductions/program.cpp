// Reductions by the last group, the barrier that brings a sum along and its classical form.
#include <cmath>

#include "sync/barrier_reduce_classical.h"
#include "sync/grid_arg_max.h"
#include "sync/grid_barrier.h"
#include "sync/last_groups.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/mutants/mutant_program.hpp"
#include "tests/sync/one_barrier.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 groups = 5;
constexpr uint32 rounds = 200;
constexpr uint32 row_length = 40;
constexpr std::size_t array_length = 6 * REDUCE_CHUNK + 100;
/// Epochs wrap around in the middle of the run.
constexpr uint32 epoch_before = 0U - rounds / 2;

struct Shared {
    Shared() { sync->released = epoch_before; }

    GridSyncMemory sync{groups};
    uint64 wait_limit = 0;
    uint32 lined_up = 0;

    std::vector<double> array = std::vector<double>(array_length);
    std::vector<double> partials = std::vector<double>(reduce_chunks(array_length));
    std::vector<uint64> partial_indices = std::vector<uint64>(partials.size());
    double result = 0.0, largest = 0.0;
    uint64 largest_index = 0;

    std::vector<double> sums = std::vector<double>(reduce_rows_bytes(groups) / sizeof(double));
    std::vector<double> values = std::vector<double>(groups + 1);
    std::vector<std::vector<uint64>> rows{std::size_t{2} * groups, std::vector<uint64>(row_length)};
    last_groups_t last{};
};

/// The barrier is not what is tried here.
void meet(Shared &shared, uint32 round) {
    expect(one_barrier(BARRIER_TREE, shared.sync.get(), round, shared.wait_limit) == 1,
           "abandoned: a barrier was not passed\n");
}

/// Groups of different speed.
void dawdle(uint32 round) {
    for (uint32 turn = 0; turn < (round * 7 + group_index() * 3) % 5; ++turn) {
        sched_yield();
    }
}

/// Two equal largest elements; the others differ from round to round.
void run_arrays(Shared &shared, uint32 spelling, uint32 round) {
    for (std::size_t i = group_index(); i < array_length; i += groups) {
        shared.array[i] = (i == 5000 || i == 20'000) ? 1.0e6 : (i % 2 == 0 ? round : 1.0);
    }
    meet(shared, round);
    double lanes[LANES];
    uint64 index_lanes[LANES];
    uint32 verdict = 0;
    line_up(&shared.lined_up);
    grid_reduce(REDUCE_SUM, spelling, shared.array.data(), shared.array.data(), array_length,
                shared.partials.data(), &shared.result, shared.sync.get(), lanes, &verdict);
    meet(shared, round);
    constexpr double half = static_cast<double>(array_length) / 2;
    expect(shared.result == 2.0e6 + half + (half - 2) * round, "wrong sum of an array\n");
    line_up(&shared.lined_up);
    grid_arg_max(spelling, shared.array.data(), array_length, shared.partials.data(),
                 shared.partial_indices.data(), &shared.largest, &shared.largest_index, shared.sync.get(),
                 lanes, index_lanes, &verdict);
    meet(shared, round);
    expect(shared.largest == 1.0e6 && shared.largest_index == 5000, "wrong largest element\n");
}

/// Groups line up in even rounds; in odd ones some run ahead.
void write_row(Shared &shared, uint32 round) {
    if (round % 2 == 0) {
        line_up(&shared.lined_up);
    }
    for (uint64 &value : shared.rows[round % 2 * groups + group_index()]) {
        value = round + group_index();
    }
}

void expect_row(const Shared &shared, uint32 group, uint32 round) {
    for (const uint64 value : shared.rows[round % 2 * groups + group]) {
        expect(value == round + group, "wrong value: a group went on early\n");
    }
}

constexpr double sum_of_groups = groups * (groups - 1) / 2;

/// What a group keeps for the rounds of one launch.
struct Launch {
    explicit Launch(Shared &of)
        : shared(of),
          fused(make_grid_barrier(BARRIER_GROUP_LEADER, of.sync.get(), &verdict, of.wait_limit)) {}
    Shared &shared;
    uint32 verdict = 0;
    double lanes[REDUCE_LANES] = {};
    grid_barrier_t fused;
};

void run_fused(Launch &launch, uint32 round) {
    Shared &shared = launch.shared;
    write_row(shared, round);
    double total = 0.0;
    expect(barrier_reduce(REDUCE_SUM, round + group_index(), &total, &launch.fused, shared.sums.data(),
                          launch.lanes, epoch_before + round, round) == 1,
           "abandoned: a barrier with a sum was not passed\n");
    expect(total == groups * round + sum_of_groups, "wrong sum of all groups\n");
    for (uint32 group = 0; group < groups; ++group) {
        expect_row(shared, group, round);
    }
}

void run_classical(Launch &launch, uint32 spelling, uint32 round) {
    Shared &shared = launch.shared;
    grid_barrier_t barrier =
        make_grid_barrier(BARRIER_TREE, shared.sync.get(), &launch.verdict, shared.wait_limit);
    write_row(shared, round);
    double total = 0.0;
    expect(barrier_reduce_classical(REDUCE_SUM, spelling, round + group_index(), &total, &barrier,
                                    shared.values.data(), launch.lanes, round) == 1,
           "abandoned: a classical reduction was not passed\n");
    expect(total == groups * round + sum_of_groups, "wrong sum of all groups\n");
    for (uint32 group = 0; group < groups; ++group) {
        expect_row(shared, group, round);
    }
}

/// The members that come last look at the rows of all members: in every third round of all groups.
void run_last_groups(Shared &shared, uint32 round) {
    constexpr uint32 most = 2;
    const uint32 members = round % 3 == 0 ? groups : groups - 1;
    uint32 place = NOT_AMONG_LAST;
    write_row(shared, round);
    if (group_index() < members) {
        await_all_groups(&shared.last, members, most, &place, shared.sync.get(), round, shared.wait_limit);
    }
    if (place != NOT_AMONG_LAST) {
        expect(place < most, "wrong verdict: more groups are among the last ones\n");
        for (uint32 group = 0; group < members; ++group) {
            expect_row(shared, group, round);
        }
        leave_last_groups(&shared.last, members, most);
    }
    meet(shared, round);
}

/// A launch of the rounds behind `before`; epochs go on from one to the next.
void run_group(Shared &shared, uint32 before) {
    Launch launch(shared);
    const uint32 end = before + rounds / 2;
    for (uint32 round = before + 1; round <= end; ++round) {
        run_fused(launch, round);
    }
    meet(shared, end);
    for (uint32 round = before + 1; round <= end; ++round) {
        run_classical(launch, round / 2 % 2, round);
    }
    meet(shared, end);
    for (uint32 round = before + 1; round <= end; ++round) {
        run_last_groups(shared, round);
    }
    for (uint32 round = before + 1; round <= before + 10; ++round) {
        run_arrays(shared, round % 2, round);
    }
}

/// The trees of one group; a NaN stays wherever it stands.
void run_trees() {
    std::vector<double> rows(2 * LANES);
    for (uint32 lane = 0; lane < LANES; ++lane) {
        rows[lane] = lane;
        rows[LANES + lane] = 3.0 * lane;
    }
    constexpr double sum = LANES * (LANES - 1) / 2.0;
    std::vector<double> lanes = rows;
    tree_sum(lanes.data(), 2);
    expect(lanes[0] == sum && lanes[LANES] == 3.0 * sum, "wrong sum of a tree\n");
    for (const uint32 place : {0U, 1U, LANES / 2, LANES - 1}) {
        lanes = rows;
        lanes[place] = 1000.0;
        tree_max(lanes.data());
        expect(lanes[0] == 1000.0, "wrong maximum of a tree\n");
        lanes = rows;
        lanes[place] = -1.0;
        tree_reduce(REDUCE_MIN, lanes.data(), LANES);
        expect(lanes[0] == -1.0, "wrong minimum of a tree\n");
        lanes = rows;
        lanes[place] = NAN;
        tree_max(lanes.data());
        expect(std::isnan(lanes[0]), "wrong maximum of a tree: a NaN was lost\n");
        lanes = rows;
        lanes[place] = NAN;
        tree_reduce(REDUCE_MIN, lanes.data(), LANES);
        expect(std::isnan(lanes[0]), "wrong minimum of a tree: a NaN was lost\n");
    }
}

/// A group is missing: all others leave.
void run_abandoned(uint64 wait_limit) {
    Shared shared;
    shared.wait_limit = wait_limit;
    run_groups(groups, [&] {
        if (group_index() != groups - 1) {
            Launch launch(shared);
            double total = 0.0;
            expect(barrier_reduce(REDUCE_SUM, 1.0, &total, &launch.fused, shared.sums.data(), launch.lanes, 1,
                                  1) == 0,
                   "wrong verdict: a barrier without one of the groups was passed\n");
        }
    });
}

}  // namespace

void try_all(uint64 wait_limit) {
    Shared shared;
    shared.wait_limit = wait_limit;
    on_one_processor([&shared] { run_groups(groups, [&shared] { run_group(shared, 0); }); });
    run_groups(groups, [&shared] { run_group(shared, rounds / 2); });
    run_trees();
    run_abandoned(wait_limit / 50);
}

}  // namespace perdure::tests
