#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "sync/grid_barrier.h"
#include "sync/last_group.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests::last_group_test {
namespace {

constexpr std::size_t row_length = 500;

/// A phase of a reduction: every group fills its row, the last one adds up all rows. Its own counters order
/// nothing, so that only the ticket and the barrier do.
struct Reduction {
    explicit Reduction(uint32 group_total)
        : groups(group_total), rows(group_total, std::vector<std::uint64_t>(row_length)) {}

    static std::uint64_t value(uint32 phase, uint32 group, std::size_t column) {
        return 7919 * phase + 31 * group + column;
    }
    [[nodiscard]] std::uint64_t expected_sum(uint32 phase) const {
        const std::uint64_t columns = row_length * (row_length - 1) / 2;
        return row_length * groups * std::uint64_t{7919} * phase +
               row_length * 31 * (std::uint64_t{groups} * (groups - 1) / 2) + groups * columns;
    }
    void run_phase(uint32 phase) {
        std::vector<std::uint64_t> &row = rows[group_index()];
        for (std::size_t column = 0; column < row_length; ++column) {
            row[column] = value(phase, group_index(), column);
        }
        uint32 verdict = 0;
        const uint32 last = is_last_group(sync.get(), &verdict);
        winners.fetch_add(last, std::memory_order_relaxed);
        if (last == 1) {
            std::uint64_t sum = 0;
            for (const auto &all : rows) {
                sum = std::accumulate(all.begin(), all.end(), sum);
            }
            wrong_sums.fetch_add(sum != expected_sum(phase) ? 1 : 0, std::memory_order_relaxed);
        }
    }

    uint32 groups;
    std::vector<std::vector<std::uint64_t>> rows;
    GridSyncMemory sync{groups};
    std::atomic<uint32> winners{0}, wrong_sums{0};
};

class LastGroup : public testing::TestWithParam<std::uint32_t> {};

TEST_P(LastGroup, IsOneGroupThatSeesAllWritesInEachOfManyPhases) {
    constexpr uint32 phases = 400;
    Reduction reduction(GetParam());
    std::atomic<uint32> not_one_winner{0};
    run_groups(GetParam(), [&] {
        uint32 verdict = 0;
        grid_barrier_t barrier =
            make_grid_barrier(BARRIER_GROUP_LEADER, reduction.sync.get(), &verdict, long_limit);
        for (uint32 phase = 1; phase <= phases; ++phase) {
            reduction.run_phase(phase);
            ASSERT_EQ(grid_barrier(&barrier, phase), 1U);
            if (reduction.winners.load(std::memory_order_relaxed) != phase) {
                not_one_winner.fetch_add(1, std::memory_order_relaxed);
            }
            ASSERT_EQ(grid_barrier(&barrier, phase), 1U);
        }
    });
    EXPECT_EQ(reduction.winners, phases);
    EXPECT_EQ(not_one_winner, 0U);
    EXPECT_EQ(reduction.wrong_sums, 0U);
    EXPECT_EQ(reduction.sync->ticket, 0U);
}

TEST_P(LastGroup, NeedsNoResetBetweenLaunches) {
    Reduction reduction(GetParam());
    for (uint32 phase = 1; phase <= 20; ++phase) {
        run_groups(GetParam(), [&] { reduction.run_phase(phase); });
        EXPECT_EQ(reduction.winners, phase);
        EXPECT_EQ(reduction.sync->ticket, 0U);
    }
    EXPECT_EQ(reduction.wrong_sums, 0U);
}

INSTANTIATE_TEST_SUITE_P(Groups, LastGroup, testing::ValuesIn(group_counts));

TEST(LastGroupTicket, GoesToTheLastInWhateverOrderGroupsRun) {
    const GridSyncMemory sync(4);
    uint32 verdict = 7;
    for (const auto &order : {std::vector<uint32>{2, 0, 3, 1}, {0, 1, 2, 3}, {3, 2, 1, 0}}) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            perdure_group = {order[i], 4};
            const uint32 last = i == 3 ? 1 : 0;
            EXPECT_EQ(is_last_group(sync.get(), &verdict), last);
            EXPECT_EQ(verdict, last);
            EXPECT_EQ(sync->ticket, last == 1 ? 0U : i + 1);
        }
    }
    EXPECT_EQ(sync->arrived, 0U);
    perdure_group = {0, 1};
}

}  // namespace
}  // namespace perdure::tests::last_group_test
