// Reductions by the last group, the barrier that brings a sum along and its classical form, halo exchange by
// words and by flags.
#include <cmath>

#include "sync/barrier_reduce_classical.h"
#include "sync/grid_arg_max.h"
#include "sync/grid_barrier.h"
#include "sync/halo_exchange.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/mutants/mutant_program.hpp"
#include "tests/sync/one_barrier.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 groups = 5;
constexpr uint32 rounds = 200;
constexpr uint32 row_length = 40;
constexpr std::size_t array_length = 6 * REDUCE_CHUNK + 100;
constexpr uint32 edges = 2;  // of a ring: 0 to the left, 1 to the right
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

    std::vector<uint64> float_words = std::vector<uint64>(std::size_t{2} * edges * groups);
    std::vector<epoch_word_t> words = std::vector<epoch_word_t>(std::size_t{2} * edges * groups);
    std::vector<uint32> flags =
        std::vector<uint32>(halo_flags_bytes(groups, edges) / sizeof(uint32), epoch_before);
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

uint32 neighbour_of(uint32 group, uint32 edge) {
    return (group + (edge == 0 ? groups - 1 : 1)) % groups;
}

void run_words(Shared &shared, uint32 step) {
    const uint32 group = group_index();
    const uint32 epoch = epoch_before + step;
    for (uint32 edge = 0; edge < edges; ++edge) {
        send_halo_double(&shared.words[std::size_t{2} * edges * neighbour_of(group, edge)], edges, edge ^ 1U,
                         std::ldexp(1.0 + group + 1.0e-9 * step, static_cast<int>(step % 60)), epoch);
    }
    dawdle(step);
    for (uint32 edge = 0; edge < edges; ++edge) {
        double value = 0.0;
        expect(receive_halo_double(&shared.words[std::size_t{2} * edges * group], edges, edge, &value,
                                   shared.sync.get(), epoch, step, shared.wait_limit) == 1,
               "abandoned: a word did not come\n");
        expect(
            value == std::ldexp(1.0 + neighbour_of(group, edge) + 1.0e-9 * step, static_cast<int>(step % 60)),
            "wrong value of a neighbour\n");
    }
}

/// Of either sign.
float float_sent(uint32 group, uint32 step) {
    return static_cast<float>(step * groups + group) * (step % 3 == 0 ? -1.0F : 1.0F);
}

void run_float_words(Shared &shared, uint32 step) {
    const uint32 group = group_index();
    const uint32 epoch = epoch_before + step;
    for (uint32 edge = 0; edge < edges; ++edge) {
        send_halo_float(&shared.float_words[std::size_t{2} * edges * neighbour_of(group, edge)], edges,
                        edge ^ 1U, float_sent(group, step), epoch);
    }
    dawdle(step);
    for (uint32 edge = 0; edge < edges; ++edge) {
        float value = 0.0F;
        expect(receive_halo_float(&shared.float_words[std::size_t{2} * edges * group], edges, edge, &value,
                                  shared.sync.get(), epoch, step, shared.wait_limit) == 1,
               "abandoned: a word did not come\n");
        expect(value == float_sent(neighbour_of(group, edge), step), "wrong value of a neighbour\n");
    }
}

void run_flags(Shared &shared, uint32 step) {
    const uint32 group = group_index();
    const uint32 neighbours[edges] = {neighbour_of(group, 0), neighbour_of(group, 1)};
    const uint32 opposite[edges] = {1, 0};
    for (uint64 &value : shared.rows[step % 2 * groups + group]) {
        value = step + group;
    }
    dawdle(step);
    uint32 verdict = 1;
    const halo_t halo = make_halo(shared.flags.data(), edges, neighbours, opposite, shared.sync.get(),
                                  &verdict, shared.wait_limit);
    expect(exchange_halo(&halo, epoch_before + step, step) == 1, "abandoned: a flag was not raised\n");
    expect_row(shared, neighbours[0], step);
    expect_row(shared, neighbours[1], step);
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
    for (uint32 round = before + 1; round <= before + 10; ++round) {
        run_arrays(shared, round % 2, round);
    }
    for (uint32 step = before + 1; step <= end; ++step) {
        run_words(shared, step);
    }
    meet(shared, end);
    for (uint32 step = before + 1; step <= end; ++step) {
        run_float_words(shared, step);
    }
    meet(shared, end);
    for (uint32 step = before + 1; step <= end; ++step) {
        run_flags(shared, step);
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
}  // namespace perdure::tests

int main(int argc, char **argv) {
    using namespace perdure::tests;
    const uint64 wait_limit = wait_limit_of(start_watchdog(argc, argv));
    Shared shared;
    shared.wait_limit = wait_limit;
    on_one_processor([&shared] { run_groups(groups, [&shared] { run_group(shared, 0); }); });
    run_groups(groups, [&shared] { run_group(shared, rounds / 2); });
    run_trees();
    run_abandoned(wait_limit / 50);
    (void)puts("right");
}
