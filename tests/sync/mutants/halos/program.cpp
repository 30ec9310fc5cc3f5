// Halo exchange by words, by flags of edges, by flags of steps, and by what is put into a neighbour's memory.
#include <cmath>

#include "sync/grid_barrier.h"
#include "sync/halo_exchange.h"
#include "sync/put_signal.h"
#include "sync/step_flags.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/mutants/mutant_program.hpp"
#include "tests/sync/one_barrier.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 groups = 5;
constexpr uint32 rounds = 200;
constexpr uint32 row_length = 41;
constexpr uint32 edges = 2;  // of a ring: 0 to the left, 1 to the right
/// Epochs wrap around in the middle of the run.
constexpr uint32 epoch_before = 0U - rounds / 2;

struct Shared {
    Shared() { sync->released = epoch_before; }

    GridSyncMemory sync{groups};
    uint64 wait_limit = 0;
    std::vector<std::vector<uint64>> rows{std::size_t{2} * groups, std::vector<uint64>(row_length)};
    std::vector<uint64> float_words = std::vector<uint64>(std::size_t{2} * edges * groups);
    std::vector<epoch_word_t> words = std::vector<epoch_word_t>(std::size_t{2} * edges * groups);
    std::vector<uint32> flags =
        std::vector<uint32>(halo_flags_bytes(groups, edges) / sizeof(uint32), epoch_before);
    std::vector<uint32> step_flags =
        std::vector<uint32>(step_flags_bytes(groups) / sizeof(uint32), epoch_before);
    std::vector<uint32> seen_step_flags = step_flags;
    std::vector<std::vector<uint64>> put_rows{std::size_t{2} * edges * groups,
                                              std::vector<uint64>(row_length)};
    std::vector<uint64> signals = std::vector<uint64>(std::size_t{edges} * groups);
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

void publish_row(Shared &shared, uint32 step) {
    for (uint64 &value : shared.rows[step % 2 * groups + group_index()]) {
        value = step + group_index();
    }
}

void expect_row(const Shared &shared, uint32 group, uint32 step) {
    for (const uint64 value : shared.rows[step % 2 * groups + group]) {
        expect(value == step + group, "wrong value: a group went on early\n");
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
    publish_row(shared, step);
    dawdle(step);
    uint32 verdict = 1;
    const halo_t halo = make_halo(shared.flags.data(), edges, neighbours, opposite, shared.sync.get(),
                                  &verdict, shared.wait_limit);
    expect(exchange_halo(&halo, epoch_before + step, step) == 1, "abandoned: a flag was not raised\n");
    expect_row(shared, neighbours[0], step);
    expect_row(shared, neighbours[1], step);
}

/// Plain memory, published by one flag to both neighbours.
void run_step_flags(Shared &shared, uint32 step) {
    const uint32 group = group_index();
    const int32 around[edges] = {static_cast<int32>(neighbour_of(group, 0)),
                                 static_cast<int32>(neighbour_of(group, 1))};
    publish_row(shared, step);
    dawdle(step);
    uint32 verdict = 1;
    expect(exchange_step(shared.step_flags.data(), around, edges, epoch_before + step, &verdict,
                         shared.sync.get(), shared.wait_limit) == 1,
           "abandoned: a flag was not raised\n");
    expect_row(shared, neighbour_of(group, 0), step);
    expect_row(shared, neighbour_of(group, 1), step);
}

/// The same, looked at first and waited for later.
void run_seen_step_flags(Shared &shared, uint32 step) {
    const uint32 group = group_index();
    uint32 *const flags = shared.seen_step_flags.data();
    publish_row(shared, step);
    raise_step_flag(flags, epoch_before + step);
    dawdle(step);
    uint32 seen[edges];
    for (uint32 edge = 0; edge < edges; ++edge) {
        seen[edge] = look_at_step_flag(flags, static_cast<int32>(neighbour_of(group, edge)));
    }
    for (uint32 edge = 0; edge < edges; ++edge) {
        const uint32 neighbour = neighbour_of(group, edge);
        expect(await_seen_step_flag(flags, static_cast<int32>(neighbour), epoch_before + step, seen[edge],
                                    shared.sync.get(), shared.wait_limit) == 1,
               "abandoned: a flag was not raised\n");
        expect_row(shared, neighbour, step);
    }
}

/// Rows that neighbours put into memory of this group, and words that count them: one for each, who may be ahead of the other.
void run_messages(Shared &shared, uint32 step) {
    const uint32 group = group_index();
    const auto row_of = [&](uint32 at, uint32 edge) -> std::vector<uint64> & {
        return shared.put_rows[(step % 2 * groups + at) * edges + edge];
    };
    const auto number = [](const void *address) { return reinterpret_cast<uint64>(address); };
    const auto signal_of = [&](uint32 at, uint32 edge) { return number(&shared.signals[at * edges + edge]); };
    publish_row(shared, step);
    dawdle(step);
    const std::vector<uint64> &own = shared.rows[step % 2 * groups + group];
    for (uint32 edge = 0; edge < edges; ++edge) {
        const uint32 neighbour = neighbour_of(group, edge);
        put_and_signal(number(row_of(neighbour, edge ^ 1U).data()), number(own.data()),
                       row_length * sizeof(uint64), signal_of(neighbour, edge ^ 1U), neighbour);
    }
    for (uint32 edge = 0; edge < edges; ++edge) {
        expect(wait_for_signal(signal_of(group, edge), step, shared.sync.get(), step, shared.wait_limit) == 1,
               "abandoned: a message did not come\n");
        for (const uint64 value : row_of(group, edge)) {
            expect(value == step + neighbour_of(group, edge), "wrong value: a group went on early\n");
        }
    }
}

/// A launch of the steps behind `before`; epochs go on from one to the next.
void run_group(Shared &shared, uint32 before) {
    const uint32 end = before + rounds / 2;
    for (const auto &run :
         {run_words, run_float_words, run_flags, run_step_flags, run_seen_step_flags, run_messages}) {
        for (uint32 step = before + 1; step <= end; ++step) {
            run(shared, step);
        }
        meet(shared, end);
    }
}

}  // namespace

void try_all(uint64 wait_limit) {
    Shared shared;
    shared.wait_limit = wait_limit;
    on_one_processor([&shared] { run_groups(groups, [&shared] { run_group(shared, 0); }); });
    run_groups(groups, [&shared] { run_group(shared, rounds / 2); });
}

}  // namespace perdure::tests
