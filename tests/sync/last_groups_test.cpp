#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "sync/last_groups.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests::last_groups_test {
namespace {

constexpr uint32 most = 3;
constexpr std::uint64_t short_limit = 50'000'000;

/// Every group writes a value; the last ones each add up all of them. Only the words of the last groups order that.
struct Sums {
    explicit Sums(uint32 groups) : values(groups), sync(groups) {}

    void launch(uint32 number) {
        run_groups(static_cast<std::uint32_t>(values.size()), [&] {
            values[group_index()] = number * 1000 + group_index();
            uint32 place = 0;
            if (await_all_groups(&last, most, &place, sync.get(), number, long_limit) == NOT_AMONG_LAST) {
                return;
            }
            const uint32 sum = std::accumulate(values.begin(), values.end(), 0U);
            right_sums.fetch_add(sum == expected(number) ? 1 : 0, std::memory_order_relaxed);
            places.fetch_add(1U << place, std::memory_order_relaxed);
            last_ones.fetch_add(leave_last_groups(&last, most), std::memory_order_relaxed);
        });
    }
    [[nodiscard]] uint32 expected(uint32 number) const {
        const auto groups = static_cast<uint32>(values.size());
        return groups * number * 1000 + groups * (groups - 1) / 2;
    }

    std::vector<uint32> values;
    GridSyncMemory sync;
    last_groups_t last{};
    std::atomic<uint32> right_sums{0}, places{0}, last_ones{0};
};

class LastGroups : public testing::TestWithParam<std::uint32_t> {};

TEST_P(LastGroups, SeeAllWritesAndNeedNoReset) {
    const std::uint32_t waiting = std::min<std::uint32_t>(most, GetParam());
    Sums sums(GetParam());
    for (uint32 number = 1; number <= 30; ++number) {
        sums.launch(number);
        ASSERT_EQ(sums.right_sums, number * waiting);
        ASSERT_EQ(sums.places, number * ((1U << waiting) - 1));
        ASSERT_EQ(sums.last_ones, number);
        ASSERT_EQ(sums.last.came, 0U);
        ASSERT_EQ(sums.last.left, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, LastGroups, testing::ValuesIn(group_counts));

TEST(LastGroupsOfFour, AWaitForAGroupThatNeverComesEnds) {
    Sums sums(4);
    std::atomic<uint32> without_place{0};
    run_groups(4, [&] {
        uint32 place = 0;
        if (group_index() != 2) {
            without_place.fetch_add(
                await_all_groups(&sums.last, most, &place, sums.sync.get(), 7, short_limit) == NOT_AMONG_LAST,
                std::memory_order_relaxed);
        }
    });
    EXPECT_EQ(without_place, 3U);
    EXPECT_EQ(sums.sync->abandoned, 1U);
    EXPECT_EQ(sums.sync->waiting_phase, 7U);
}

}  // namespace
}  // namespace perdure::tests::last_groups_test
