// Neighbours that wait for each other alone: rings and tori of groups, some of them slow, on host threads.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "sync/halo_exchange.h"
#include "tests/number_of_barriers.hpp"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests::halo_exchange_test {
namespace {

constexpr uint32 steps = number_of_rounds(10'000);  // words and flags wrap around in the middle

/// A torus of rows x columns groups, of which one row is a ring. Edge 0 leads to the left, 1 right, 2 up, 3
/// down; the opposite of an edge is the other of its pair, also where both lead to the same group.
struct Torus {
    uint32 rows;
    uint32 columns;

    [[nodiscard]] uint32 groups() const { return rows * columns; }
    [[nodiscard]] uint32 edges() const { return rows == 1 ? 2 : 4; }
    [[nodiscard]] uint32 neighbour(uint32 group, uint32 edge) const {
        const uint32 row = group / columns, column = group % columns;
        return edge == 0   ? row * columns + (column + columns - 1) % columns
               : edge == 1 ? row * columns + (column + 1) % columns
               : edge == 2 ? (row + rows - 1) % rows * columns + column
                           : (row + 1) % rows * columns + column;
    }
};

constexpr Torus tori[] = {{1, 1}, {1, 2}, {1, 3}, {1, 7}, {2, 2}, {2, 3}, {3, 3}};

/// Now and then a group stays behind.
void dawdle(std::minstd_rand &generator) {
    if (generator() % 997 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(generator() % 300));
    } else if (generator() % 5 == 0) {
        std::this_thread::yield();
    }
}

double value_of(uint32 group, uint32 edge, uint32 step) {
    return std::ldexp(1000.0 * group + edge + 1.0e-3 * step, static_cast<int>(step % 200) - 100);
}

class HaloExchange : public testing::TestWithParam<Torus> {
  protected:
    HaloExchange() : sync(torus.groups()), wrong(torus.groups()) {}

    /// `body(step)` in all groups; what it returns are wrong values.
    template <typename Body>
    void run_steps(uint32 last, const Body &body) {
        run_groups(torus.groups(), [&] {
            std::minstd_rand generator(group_index() + 1);
            for (uint32 step = 1; step <= last; ++step) {
                wrong[group_index()] += body(step);
                dawdle(generator);
            }
        });
        EXPECT_EQ(wrong, std::vector<uint32>(torus.groups()));
        EXPECT_EQ(sync->abandoned, 0U);
    }

    const Torus torus = GetParam();
    GridSyncMemory sync;
    std::vector<uint32> wrong;
};

TEST_P(HaloExchange, WordsBringEachStepsValue) {
    for (const uint32 before : {0U, 0xffffffffU - steps / 2}) {
        const uint32 edges = torus.edges();
        std::vector<epoch_word_t> words(std::size_t{2} * edges * torus.groups());
        run_steps(steps, [&](uint32 step) {
            const uint32 group = group_index();
            uint32 wrong_values = 0;
            for (uint32 edge = 0; edge < edges; ++edge) {
                send_halo_double(&words[std::size_t{2} * edges * torus.neighbour(group, edge)], edges,
                                 edge ^ 1U, value_of(group, edge, step), before + step);
            }
            for (uint32 edge = 0; edge < edges; ++edge) {
                double value = 0.0;
                const uint32 there = receive_halo_double(&words[std::size_t{2} * edges * group], edges, edge,
                                                         &value, sync.get(), before + step, step, long_limit);
                const double expected = value_of(torus.neighbour(group, edge), edge ^ 1U, step);
                wrong_values += there == 1 && value == expected ? 0 : 1;
            }
            return wrong_values;
        });
    }
}

TEST_P(HaloExchange, WordsOfFloats) {
    constexpr uint32 before = 0xffffffffU - 500;
    const uint32 edges = torus.edges();
    std::vector<uint64> words(std::size_t{2} * edges * torus.groups());
    run_steps(1000, [&](uint32 step) {
        const uint32 group = group_index();
        uint32 wrong_values = 0;
        for (uint32 edge = 0; edge < edges; ++edge) {
            send_halo_float(&words[std::size_t{2} * edges * torus.neighbour(group, edge)], edges, edge ^ 1U,
                            static_cast<float>(value_of(group, edge, step)), before + step);
        }
        for (uint32 edge = 0; edge < edges; ++edge) {
            float value = 0.0F;
            const uint32 there = receive_halo_float(&words[std::size_t{2} * edges * group], edges, edge,
                                                    &value, sync.get(), before + step, step, long_limit);
            const auto expected = static_cast<float>(value_of(torus.neighbour(group, edge), edge ^ 1U, step));
            wrong_values += there == 1 && value == expected ? 0 : 1;
        }
        return wrong_values;
    });
}

/// The halo is plain memory, in two copies: ThreadSanitizer would see a race, the values an early overwrite.
TEST_P(HaloExchange, FlagsMakeTheNeighboursWritesVisible) {
    constexpr std::size_t row = 20;
    for (const uint32 before : {0x7fffffffU - steps / 2, 0xffffffffU - steps / 2}) {
        const uint32 edges = torus.edges();
        std::vector<uint32> flags(halo_flags_bytes(torus.groups(), edges) / sizeof(uint32), before);
        std::vector<std::vector<double>> halos(std::size_t{2} * torus.groups() * edges,
                                               std::vector<double>(row));
        const auto halo = [&](uint32 group, uint32 edge, uint32 step) -> std::vector<double> & {
            return halos[(step % 2 * std::size_t{torus.groups()} + group) * edges + edge];
        };
        run_steps(steps, [&](uint32 step) {
            const uint32 group = group_index();
            uint32 neighbours[4], opposite[4];
            uint32 verdict = 1;
            for (uint32 edge = 0; edge < edges; ++edge) {
                neighbours[edge] = torus.neighbour(group, edge);
                opposite[edge] = edge ^ 1U;
                halo(group, edge, step).assign(row, value_of(group, edge, step));
            }
            const halo_t exchange =
                make_halo(flags.data(), edges, neighbours, opposite, sync.get(), &verdict, long_limit);
            uint32 wrong_values = 1 - exchange_halo(&exchange, before + step, step);
            for (uint32 edge = 0; edge < edges; ++edge) {
                for (const double value : halo(neighbours[edge], opposite[edge], step)) {
                    wrong_values += value == value_of(neighbours[edge], opposite[edge], step) ? 0 : 1;
                }
            }
            return wrong_values;
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Tori, HaloExchange, testing::ValuesIn(tori), [](const auto &test) {
    return std::to_string(test.param.rows) + "x" + std::to_string(test.param.columns);
});

/// Two groups that share one edge: each item serves one edge, and keeps its flags.
TEST(HaloExchangeOfOneEdge, MakesTheNeighboursWritesVisible) {
    GridSyncMemory sync(2);
    std::vector<uint32> flags(halo_flags_bytes(2, 1) / sizeof(uint32));
    double halos[2][2]{};
    uint32 wrong[2]{};
    run_groups(2, [&] {
        const uint32 group = group_index();
        const uint32 neighbour[1] = {1 - group}, opposite[1] = {0};
        uint32 verdict = 1;
        const halo_t exchange =
            make_halo(flags.data(), 1, neighbour, opposite, sync.get(), &verdict, long_limit);
        for (uint32 step = 1; step <= 20'000; ++step) {
            halos[step % 2][group] = value_of(group, 0, step);
            wrong[group] += 1 - exchange_halo(&exchange, step, step);
            wrong[group] += halos[step % 2][1 - group] == value_of(1 - group, 0, step) ? 0 : 1;
        }
    });
    EXPECT_EQ(wrong[0] + wrong[1], 0U);
}

constexpr uint64 short_limit = 2'000'000;

/// A chain: the outer edges lead nowhere. The last group never comes, so its neighbour passes no step, the
/// one before that at most one, and so on down to group 0.
TEST(HaloExchangeAbandoned, EndsInEveryGroupOfAChainWithoutItsLast) {
    constexpr uint32 groups = 4;
    GridSyncMemory sync(groups);
    std::vector<uint32> flags(halo_flags_bytes(groups, 2) / sizeof(uint32));
    std::vector<uint32> steps_passed(groups);
    run_groups(groups - 1, [&] {
        perdure_group.count = groups;
        const uint32 group = group_index();
        const uint32 neighbours[2] = {group == 0 ? NO_NEIGHBOUR : group - 1, group + 1};
        const uint32 opposite[2] = {1, 0};
        uint32 verdict = 1;
        const halo_t exchange =
            make_halo(flags.data(), 2, neighbours, opposite, sync.get(), &verdict, short_limit);
        for (uint32 step = 1; exchange_halo(&exchange, step, step) == 1; ++step) {
            steps_passed[group] = step;
        }
    });
    for (uint32 group = 0; group < groups; ++group) {
        EXPECT_LE(steps_passed[group], group < 2 ? 2 - group : 0);
    }
    EXPECT_EQ(sync->abandoned, 1U);
}

TEST(HaloExchangeAbandoned, EndsTheWaitForAWord) {
    GridSyncMemory sync(2);
    epoch_word_t words[2]{};
    uint64 floats[2]{};
    double value = 0.0;
    float single = 0.0F;
    perdure_group = {0, 2};
    EXPECT_EQ(receive_halo_double(words, 1, 0, &value, sync.get(), 1, 9, short_limit), 0U);
    EXPECT_EQ(sync->waiting_phase, 9U);
    EXPECT_EQ(receive_halo_float(floats, 1, 0, &single, sync.get(), 1, 9, long_limit), 0U)
        << "the launch is over";
    perdure_group = {0, 1};
}

}  // namespace
}  // namespace perdure::tests::halo_exchange_test
