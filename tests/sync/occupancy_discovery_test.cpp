#include "sync/occupancy_discovery.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests::occupancy_discovery_test {
namespace {

constexpr std::uint64_t short_delay = 500'000;
constexpr uint32 barriers = 200;

/// What each group of a launch found. The members pass numbers round a ring.
struct Discovery {
    explicit Discovery(uint32 launched)
        : groups(launched), sync(launched), ranks(launched, 7777), members(launched, 7777), ring(launched) {}

    void run(uint64 delay) {
        uint32 found[FOUND_WORDS];
        discover_members(&poll, found, delay);
        ranks[group_index()] = found[FOUND_RANK];
        members[group_index()] = found[FOUND_MEMBERS];
        if (found[FOUND_MEMBERS] != 0) {
            pass_numbers_round(found);
        }
    }
    void pass_numbers_round(const uint32 *found) {
        const uint32 rank = found[FOUND_RANK];
        const uint32 next = (rank + 1) % found[FOUND_MEMBERS];
        uint32 verdict = 0;
        grid_barrier_t state = make_grid_barrier(BARRIER_GROUP_LEADER, sync.get(), &verdict, long_limit);
        for (uint32 barrier = 0; barrier < barriers; ++barrier) {
            if (barrier % 2 == 0) {
                ring[rank] = barrier + rank;
            }
            if (member_barrier(&state, rank, found[FOUND_MEMBERS], barrier) != 1) {
                ++unfinished;
                return;
            }
            wrong += barrier % 2 == 0 && ring[next] != barrier + next ? 1 : 0;
        }
    }
    void expect_members(uint32 expected, uint32 left_out) const {
        EXPECT_EQ(poll, POLL_CLOSED + expected);
        EXPECT_EQ(unfinished, 0U);
        EXPECT_EQ(wrong, 0U);
        std::vector<uint32> of_rank(expected);
        uint32 outside = 0;
        for (uint32 group = 0; group < groups; ++group) {
            if (ranks[group] == NOT_A_MEMBER) {
                EXPECT_EQ(members[group], 0U);
                ++outside;
            } else {
                EXPECT_EQ(members[group], expected);
                ASSERT_LT(ranks[group], expected);
                ++of_rank[ranks[group]];
            }
        }
        EXPECT_EQ(outside, left_out);
        EXPECT_EQ(of_rank, std::vector<uint32>(expected, 1));
    }

    uint32 groups;
    GridSyncMemory sync;
    uint32 poll = 0;
    std::vector<uint32> ranks, members, ring;
    std::atomic<uint32> wrong{0}, unfinished{0};
};

class OccupancyDiscovery : public testing::TestWithParam<std::uint32_t> {};

TEST_P(OccupancyDiscovery, FindsAllGroupsWhenAllAreThere) {
    Discovery discovery(GetParam());
    run_groups(GetParam(), [&] { discovery.run(long_limit); });
    discovery.expect_members(GetParam(), 0);
}

/// With any delay: whoever comes in time takes part, nobody is counted twice or half.
TEST_P(OccupancyDiscovery, IsConsistentWhoeverComesInTime) {
    for (const uint64 delay : {uint64{0}, uint64{1'000}, short_delay}) {
        for (int launch = 0; launch < 20; ++launch) {
            Discovery discovery(GetParam());
            run_groups(GetParam(), [&] { discovery.run(delay); });
            const uint32 found = discovery.poll & ~POLL_CLOSED;
            ASSERT_GE(found, 1U);
            discovery.expect_members(found, GetParam() - found);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, OccupancyDiscovery, testing::ValuesIn(group_counts));

TEST(OccupancyDiscoveryOfLateGroups, LeavesThemOut) {
    constexpr uint32 groups = 6;
    constexpr uint32 late = 2;
    Discovery discovery(groups);
    run_groups(groups, [&] {
        if (group_index() < late) {
            while ((load_uint32(&discovery.poll, ORDER_RELAXED, SCOPE_DEVICE) & POLL_CLOSED) == 0) {
                wait_pause(1000);
            }
        } else {
            while (load_uint32(&discovery.poll, ORDER_RELAXED, SCOPE_DEVICE) == 0 && group_index() != late) {
                wait_pause(1000);
            }
        }
        discovery.run(200 * short_delay);
    });
    discovery.expect_members(groups - late, late);
    EXPECT_EQ(discovery.ranks[0], NOT_A_MEMBER);
    EXPECT_EQ(discovery.ranks[1], NOT_A_MEMBER);
    EXPECT_EQ(discovery.ranks[late], 0U);
}

TEST(OccupancyDiscoveryPoll, GivesNumbersInTheOrderOfArrivalUntilItIsClosed) {
    uint32 poll = 0;
    perdure_group = {0, 4};
    EXPECT_EQ(join_poll(&poll), 0U);
    EXPECT_EQ(join_poll(&poll), 1U);
    const uint64 begin = host_nanoseconds();
    EXPECT_EQ(close_poll(&poll, short_delay), 2U);
    EXPECT_GE(host_nanoseconds() - begin, short_delay);
    EXPECT_EQ(join_poll(&poll), NOT_A_MEMBER);
    EXPECT_EQ(close_poll(&poll, long_limit), 2U) << "at once: another has closed it";
    EXPECT_EQ(poll, POLL_CLOSED + 2);
    perdure_group = {0, 1};
}

TEST(OccupancyDiscoveryPoll, IsClosedAtOnceWhenTheWholeLaunchHasJoined) {
    uint32 poll = 0;
    perdure_group = {0, 3};
    for (uint32 group = 0; group < 3; ++group) {
        EXPECT_EQ(join_poll(&poll), group);
    }
    EXPECT_EQ(close_poll(&poll, long_limit), 3U);
    perdure_group = {0, 1};
}

}  // namespace
}  // namespace perdure::tests::occupancy_discovery_test
