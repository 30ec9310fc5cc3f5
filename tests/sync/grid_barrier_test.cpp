// Every kind of grid barrier on host threads. PERDURE_BARRIERS=1000000 sets how many barriers a ring passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <random>

#include "tests/number_of_barriers.hpp"
#include "tests/sync/barrier_kinds.hpp"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"
#include "tests/sync/one_barrier.hpp"

namespace perdure::tests::grid_barrier_test {
namespace {

/// Groups that hand numbers round: each writes its number of the step, a barrier, and reads that of the next
/// group and of one further away; even barriers come after a write, odd ones after a read.
class Ring {
  public:
    explicit Ring(std::uint32_t groups)
        : memory(groups), groups_(groups), numbers_(groups, ~std::uint64_t{0}) {}

    /// One launch of so many barriers; `kind_of` gives the kind of each, the same in all groups. Where it changes, the
    /// state is made anew.
    void launch(std::uint32_t barriers, const std::function<std::uint32_t(std::uint32_t)> &kind_of) {
        run_groups(groups_, [&] { run_group(barriers, kind_of); });
        EXPECT_EQ(wrong_values_, 0U);
        EXPECT_EQ(unfinished_waits_, 0U);
        EXPECT_EQ(memory->abandoned, 0U);
        EXPECT_TRUE(std::all_of(memory.row(ROW_LEFT), memory.row(ROW_LEFT) + groups_,
                                [](uint32 left) { return left == 0; }));
    }
    void launch(std::uint32_t barriers, std::uint32_t kind) {
        launch(barriers, [kind](std::uint32_t) { return kind; });
    }

    GridSyncMemory memory;

  private:
    void run_group(std::uint32_t barriers, const std::function<std::uint32_t(std::uint32_t)> &kind_of) {
        const uint32 group = group_index();
        uint32 verdict = 0;
        grid_barrier_t state = make_grid_barrier(kind_of(0), memory.get(), &verdict, long_limit);
        for (std::uint32_t barrier = 0; barrier < barriers; ++barrier) {
            const std::uint64_t step = barrier / 2;
            if (kind_of(barrier) != state.kind) {
                state = make_grid_barrier(kind_of(barrier), memory.get(), &verdict, long_limit);
            }
            if (barrier % 2 == 0) {
                numbers_[group] = 1000 * step + group;
            }
            if (grid_barrier(&state, barrier) != 1) {
                ++unfinished_waits_;
                return;
            }
            if (barrier % 2 == 0) {
                for (const std::uint64_t distance : {std::uint64_t{1}, 1 + step % groups_}) {
                    const std::size_t other = (group + distance) % groups_;
                    wrong_values_ += numbers_[other] == 1000 * step + other ? 0 : 1;
                }
            }
        }
    }

    std::uint32_t groups_;
    std::vector<std::uint64_t> numbers_;
    std::atomic<std::uint64_t> wrong_values_{0}, unfinished_waits_{0};
};

class GridBarrier : public testing::TestWithParam<KindAndGroups> {
  protected:
    [[nodiscard]] static std::uint32_t kind() { return std::get<0>(GetParam()); }
    [[nodiscard]] static std::uint32_t groups() { return std::get<1>(GetParam()); }
};

TEST_P(GridBarrier, MakesWritesOfEveryGroupVisible) {
    Ring(groups()).launch(number_of_barriers(groups() <= 5 ? 10'000 : 2000), kind());
}

/// Arrivals wrap around with every second barrier, epochs in the middle of the launch.
TEST_P(GridBarrier, GoesOnWhereCountersWrapAroundOrChangeSign) {
    for (const std::uint32_t last_before : {0xffffffffU, 0x7fffffffU}) {
        Ring ring(groups());
        ring.memory->arrived = last_before & 0x80000000U;
        ring.memory->released = last_before - 20;
        for (std::uint32_t group = 0; group < groups(); ++group) {
            ring.memory.row(ROW_ARRIVED)[group] = last_before - 20;
            ring.memory.row(ROW_RELEASED)[group] = last_before - 20;
        }
        for (std::uint32_t node = 0; node < ring.memory.node_count(); ++node) {
            ring.memory.nodes()[node * WORDS_PER_LINE] = (node % 3 == 0) ? 0x80000000U : 0;
        }
        ring.launch(101, kind());
    }
}

TEST_P(GridBarrier, NeedsNoResetBetweenLaunches) {
    Ring ring(groups());
    for (const std::uint32_t barriers : {1U, 3U, 2U, 7U, 1U, 40U}) {
        ring.launch(barriers, kind());
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, GridBarrier,
                         testing::Combine(testing::ValuesIn(barrier_kinds),
                                          testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 13)),
                         name_of_case);

class GridBarrierOfMany : public testing::TestWithParam<KindAndGroups> {};

/// Seventy groups are five nodes and a root.
TEST_P(GridBarrierOfMany, MakesWritesOfEveryGroupVisible) {
    Ring(std::get<1>(GetParam())).launch(number_of_barriers(300), std::get<0>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Groups, GridBarrierOfMany,
                         testing::Combine(testing::ValuesIn(barrier_kinds), testing::Values(33, 70)),
                         name_of_case);

class MixedGridBarriers : public testing::TestWithParam<std::uint32_t> {};

TEST_P(MixedGridBarriers, OfOneLaunchLeaveOneAnotherAlone) {
    const std::uint32_t barriers = number_of_barriers(2000);
    std::mt19937 generator(GetParam());
    std::vector<std::uint32_t> kinds(barriers);
    std::generate(kinds.begin(), kinds.end(), [&] { return barrier_kinds[generator() % 4]; });
    Ring ring(GetParam());
    ring.launch(barriers, [&](std::uint32_t barrier) { return kinds[barrier]; });
    const bool alone = GetParam() == 1;  // then a group barrier is all
    const auto passed = [&](std::uint32_t kind) {
        return alone ? 0 : static_cast<uint32>(std::count(kinds.begin(), kinds.end(), kind));
    };
    for (std::uint32_t group = 0; group < GetParam(); ++group) {
        EXPECT_EQ(ring.memory.row(ROW_RELEASED)[group], passed(BARRIER_LOCK_FREE));
    }
    EXPECT_EQ(ring.memory->released, passed(BARRIER_TREE));
}

INSTANTIATE_TEST_SUITE_P(Groups, MixedGridBarriers, testing::Values(1, 2, 3, 7, 17, 34));

TEST(GridBarrierWords, OfOtherPrimitivesAreLeftAlone) {
    for (const std::uint32_t kind : barrier_kinds) {
        Ring ring(3);
        ring.memory->ticket = 5;
        ring.memory->waiting_phase = 17;
        ring.launch(5, kind);
        EXPECT_EQ(ring.memory->ticket, 5U);
        EXPECT_EQ(ring.memory->waiting_phase, 17U);
    }
}

TEST(GridSyncMemory, HasALineForEveryNodeOfTheTree) {
    const std::pair<std::uint32_t, std::uint32_t> nodes_of[] = {
        {1, 1}, {15, 1}, {16, 1}, {17, 3}, {32, 3}, {33, 4}, {70, 6}, {256, 17}, {257, 20}, {4097, 277}};
    for (const auto &[groups, nodes] : nodes_of) {
        EXPECT_EQ(GridSyncMemory(groups).node_count(), nodes) << groups << " groups";
    }
}

/// The largest launch that the counter can hold: arrivals are counted without running so many threads.
TEST(GridBarrierArrivals, FlipTheTopBitAtTheLastOfManyGroups) {
    constexpr uint32 groups = 1U << 20U;
    for (const std::uint32_t kind : {BARRIER_GROUP_LEADER, BARRIER_ALL_ITEMS}) {
        for (const uint32 start : {0U, 0x80000000U}) {
            const GridSyncMemory memory(groups);
            memory->arrived = start + groups - 1;
            perdure_group = {0, groups};
            EXPECT_EQ(one_barrier(kind, memory.get(), 0, long_limit), 1U);
            EXPECT_EQ(memory->arrived, start ^ 0x80000000U);
        }
    }
    perdure_group = {0, 1};
}

/// One thread arrives for all groups, in many orders, at trees of one to four levels.
TEST(GridBarrierArrivals, ReachTheRootOfTheTreeWithTheLastGroup) {
    std::mt19937 generator(1);
    for (const std::uint32_t groups : {1U, 2U, 15U, 16U, 17U, 31U, 33U, 70U, 255U, 256U, 257U, 511U, 4097U}) {
        const GridSyncMemory memory(groups);
        std::vector<uint32> order(groups);
        std::iota(order.begin(), order.end(), 0U);
        for (int barrier = 0; barrier < 5; ++barrier) {
            std::shuffle(order.begin(), order.end(), generator);
            for (uint32 arrived = 1; arrived <= groups; ++arrived) {
                perdure_group = {order[arrived - 1], groups};
                ASSERT_EQ(climb_tree(memory.get()), arrived == groups ? 1U : 0U)
                    << arrived << " of " << groups << " groups";
            }
            for (std::uint32_t node = 0; node < memory.node_count(); ++node) {
                EXPECT_EQ(memory.nodes()[node * WORDS_PER_LINE], barrier % 2 == 0 ? 0x80000000U : 0U)
                    << "node " << node << " of " << groups << " groups";
            }
        }
    }
    perdure_group = {0, 1};
}

}  // namespace
}  // namespace perdure::tests::grid_barrier_test
