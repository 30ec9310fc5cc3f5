#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "sync/grid_barrier.h"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests {
namespace {

/// What a launch of ring steps found wrong.
struct RingOutcome {
    std::atomic<std::uint64_t> wrong_values{0};
    std::atomic<std::uint64_t> unfinished_waits{0};
};

/// Every group writes its number of the step, a barrier, and reads that of the next group; `barriers`
/// barriers in all. Even barriers come after a write, odd ones after a read.
void pass_numbers_round(grid_sync_t &sync, std::vector<std::uint64_t> &ring, std::uint32_t barriers,
                        RingOutcome &outcome) {
    const uint32 group = group_index();
    const uint32 next = (group + 1) % group_count();
    uint32 verdict = 0;
    for (std::uint32_t barrier = 0; barrier < barriers; ++barrier) {
        const std::uint64_t step = barrier / 2;
        if (barrier % 2 == 0) {
            ring[group] = 1000 * step + group;
        }
        if (grid_barrier(&sync, &verdict, barrier, patience) != 1) {
            ++outcome.unfinished_waits;
            return;
        }
        if (barrier % 2 == 0 && ring[next] != 1000 * step + next) {
            ++outcome.wrong_values;
        }
    }
}

class GridBarrier : public testing::TestWithParam<std::uint32_t> {
  protected:
    void launch(std::uint32_t groups, std::uint32_t barriers) {
        ring_.assign(groups, ~std::uint64_t{0});
        RingOutcome outcome;
        run_groups(groups, [&] { pass_numbers_round(*sync_, ring_, barriers, outcome); });
        EXPECT_EQ(outcome.wrong_values, 0U);
        EXPECT_EQ(outcome.unfinished_waits, 0U);
        EXPECT_EQ(sync_->abandoned, 0U);
    }

    std::unique_ptr<grid_sync_t> sync_ = std::make_unique<grid_sync_t>();
    std::vector<std::uint64_t> ring_;
};

TEST_P(GridBarrier, MakesWritesOfEveryGroupVisible) {
    launch(GetParam(), 2400);
    EXPECT_EQ(sync_->arrived, 0U);
}

TEST_P(GridBarrier, CountsOnFromTheTopBit) {
    sync_->arrived = 0x80000000U;
    launch(GetParam(), 1600);
    EXPECT_EQ(sync_->arrived, 0x80000000U);
}

TEST_P(GridBarrier, NeedsNoResetBetweenLaunches) {
    std::uint32_t all_barriers = 0;
    for (const std::uint32_t barriers : {1U, 3U, 2U, 7U, 1U, 40U}) {
        launch(GetParam(), barriers);
        all_barriers += barriers;
        EXPECT_EQ(sync_->arrived, all_barriers % 2 == 0 ? 0U : 0x80000000U) << barriers << " barriers";
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, GridBarrier, testing::ValuesIn(group_counts));

TEST_F(GridBarrier, NeedsNoResetBetweenLaunchesOfOtherSizes) {
    for (const std::uint32_t groups : {3U, 16U, 1U, 8U, 2U, 5U}) {
        launch(groups, 7);
    }
    EXPECT_EQ(sync_->arrived, 0U);
}

TEST_F(GridBarrier, StillFlipsWhenTheOtherWordsOfItsMemoryAreInUse) {
    sync_->ticket = 5;
    sync_->waiting_phase = 17;
    launch(3, 5);
    EXPECT_EQ(sync_->ticket, 5U);
    EXPECT_EQ(sync_->waiting_phase, 17U);
}

/// The largest launch that the counter can hold: arrivals are counted without running so many threads.
TEST(GridBarrierArrivals, FlipTheTopBitAtTheLastOfManyGroups) {
    constexpr uint32 groups = 1U << 20U;
    for (const uint32 start : {0U, 0x80000000U}) {
        grid_sync_t sync{};
        sync.arrived = start + groups - 1;
        uint32 verdict = 0;
        perdure_group = {0, groups};
        EXPECT_EQ(grid_barrier(&sync, &verdict, 0, patience), 1U);
        EXPECT_EQ(verdict, 1U);
        EXPECT_EQ(sync.arrived, start ^ 0x80000000U);
    }
    perdure_group = {0, 1};
}

}  // namespace
}  // namespace perdure::tests
