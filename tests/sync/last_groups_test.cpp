#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>
#include <vector>

#include "sync/last_groups.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests::last_groups_test {
namespace {

constexpr uint32 most = 3;
constexpr std::uint64_t short_limit = 50'000'000;

/// The first groups, the members, write a value each; the last of them each add up all of these. Only the words of the last groups order that.
struct Sums {
    Sums(uint32 all, uint32 members) : groups(all), values(members), sync(all) {}

    void launch(uint32 number) {
        run_groups(groups, [&] {
            if (group_index() >= count()) {
                return;
            }
            values[group_index()] = number * 1000 + group_index();
            uint32 place = 0;
            if (await_all_groups(&last, count(), most, &place, sync.get(), number, long_limit) ==
                NOT_AMONG_LAST) {
                return;
            }
            const uint32 sum = std::accumulate(values.begin(), values.end(), 0U);
            right_sums.fetch_add(sum == expected(number) ? 1 : 0, std::memory_order_relaxed);
            places.fetch_add(1U << place, std::memory_order_relaxed);
            last_ones.fetch_add(leave_last_groups(&last, count(), most), std::memory_order_relaxed);
        });
    }
    [[nodiscard]] uint32 expected(uint32 number) const {
        return count() * number * 1000 + count() * (count() - 1) / 2;
    }
    [[nodiscard]] uint32 count() const { return static_cast<uint32>(values.size()); }

    uint32 groups;
    std::vector<uint32> values;
    GridSyncMemory sync;
    last_groups_t last{};
    std::atomic<uint32> right_sums{0}, places{0}, last_ones{0};
};

class LastGroups : public testing::TestWithParam<std::uint32_t> {};

TEST_P(LastGroups, SeeAllWritesAndNeedNoReset) {
    for (const std::uint32_t members : std::set{GetParam(), (GetParam() + 1) / 2}) {
        const std::uint32_t waiting = std::min<std::uint32_t>(most, members);
        Sums sums(GetParam(), members);
        for (uint32 number = 1; number <= 30; ++number) {
            sums.launch(number);
            ASSERT_EQ(sums.right_sums, number * waiting);
            ASSERT_EQ(sums.places, number * ((1U << waiting) - 1));
            ASSERT_EQ(sums.last_ones, number);
            ASSERT_EQ(sums.last.came, 0U);
            ASSERT_EQ(sums.last.left, 0U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, LastGroups, testing::ValuesIn(group_counts));

TEST(LastGroupsOfFour, AWaitForAGroupThatNeverComesEnds) {
    Sums sums(4, 4);
    std::atomic<uint32> without_place{0};
    run_groups(4, [&] {
        uint32 place = 0;
        if (group_index() != 2) {
            without_place.fetch_add(await_all_groups(&sums.last, 4, most, &place, sums.sync.get(), 7,
                                                     short_limit) == NOT_AMONG_LAST,
                                    std::memory_order_relaxed);
        }
    });
    EXPECT_EQ(without_place, 3U);
    EXPECT_EQ(sums.sync->abandoned, 1U);
    EXPECT_EQ(sums.sync->waiting_phase, 7U);
}

}  // namespace
}  // namespace perdure::tests::last_groups_test
