// Waits for a group that never comes: every other group leaves, and the record says who waited for whom.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>

#include "sync/grid_barrier.h"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests {
namespace {

constexpr std::uint64_t short_limit = 2'000'000;
constexpr std::uint32_t barriers_before = 3;

uint32 arrival_of(uint32 group, uint32 groups) {
    return group == 0 ? 0x80000000U - (groups - 1) : 1U;
}

/// Every group but `missing` waits in barrier `barriers_before`. With a `watcher`, that group waits until the
/// others are there, then with a short limit, while theirs is long; without one (any other number) all limits
/// are short.
struct MissingGroup {
    uint32 groups;
    uint32 missing;
    uint32 watcher;
    std::unique_ptr<grid_sync_t> sync = std::make_unique<grid_sync_t>();
    std::atomic<uint32> passed{0}, abandoned{0};

    void run() {
        run_groups(groups, [this] { run_group(); });
    }
    void run_group() {
        uint32 verdict = 0;
        for (uint32 barrier = 0; barrier < barriers_before; ++barrier) {
            passed += grid_barrier(sync.get(), &verdict, barrier, patience);
        }
        if (group_index() == missing) {
            return;
        }
        const bool watching = group_index() == watcher;
        if (watching) {
            await_arrivals_of_others();
        }
        const bool patient = watcher < groups && !watching;
        abandoned +=
            1 - grid_barrier(sync.get(), &verdict, barriers_before, patient ? patience : short_limit);
    }
    void await_arrivals_of_others() {
        uint32 expected = barriers_before % 2 * 0x80000000U;
        for (uint32 group = 0; group < groups; ++group) {
            expected += group == missing || group == watcher ? 0 : arrival_of(group, groups);
        }
        for (uint64 polls = 0; load_relaxed(&sync->arrived) != expected; ++polls) {
            wait_pause(polls);
        }
    }
};

TEST(AbandonedWait, IsRecordedByTheGroupWhoseLimitRanOutAndEndsTheWaitsOfAllOthers) {
    for (const uint32 groups : {2U, 3U, 5U, 16U}) {
        for (const uint32 missing : {0U, 1U, groups - 1}) {
            const uint32 watcher = (missing + 1) % groups;
            MissingGroup launch{groups, missing, watcher};
            launch.run();
            EXPECT_EQ(launch.passed, barriers_before * groups);
            EXPECT_EQ(launch.abandoned, groups - 1);
            EXPECT_EQ(launch.sync->abandoned, 1U);
            EXPECT_EQ(launch.sync->waiting_group, watcher) << groups << " groups without " << missing;
            EXPECT_EQ(launch.sync->waiting_phase, barriers_before);
            EXPECT_EQ(launch.sync->arrived_groups, groups - 1) << groups << " groups without " << missing;
        }
    }
}

TEST(AbandonedWait, IsRecordedOnceWhenManyLimitsRunOutTogether) {
    for (const uint32 missing : {0U, 3U}) {
        MissingGroup launch{8, missing, 8};
        launch.run();
        EXPECT_EQ(launch.abandoned, 7U);
        EXPECT_EQ(launch.sync->abandoned, 1U);
        EXPECT_LT(launch.sync->waiting_group, 8U);
        EXPECT_NE(launch.sync->waiting_group, missing);
        EXPECT_EQ(launch.sync->waiting_phase, barriers_before);
        EXPECT_GE(launch.sync->arrived_groups, 1U);
        EXPECT_LE(launch.sync->arrived_groups, 7U);
    }
}

/// Arrivals are put in the word beforehand, so that one thread can try every set of groups.
TEST(AbandonedWait, CountsTheGroupsThatArrivedWithAndWithoutGroup0) {
    for (uint32 groups = 2; groups <= 5; ++groups) {
        for (uint32 set = 1; set < (1U << groups) - 1; ++set) {
            const uint32 start = set % 2 * 0x80000000U;
            const auto group = static_cast<uint32>(31 - __builtin_clz(set));
            grid_sync_t sync{};
            sync.arrived = start;
            uint32 arrived = 1;
            for (uint32 other = 0; other < group; ++other) {
                const bool there = (set >> other) % 2 == 1;
                sync.arrived += there ? arrival_of(other, groups) : 0;
                arrived += there ? 1 : 0;
            }
            perdure_group = {group, groups};
            uint32 verdict = 1;
            EXPECT_EQ(grid_barrier(&sync, &verdict, 40 + groups, 0), 0U);
            EXPECT_EQ(sync.waiting_group, group);
            EXPECT_EQ(sync.arrived_groups, arrived) << groups << " groups, set " << set;
            EXPECT_EQ(sync.waiting_phase, 40 + groups);
        }
    }
    perdure_group = {0, 1};
}

TEST(AbandonedWait, LastsAtLeastTheLimit) {
    grid_sync_t sync{};
    uint32 verdict = 1;
    perdure_group = {1, 2};
    const uint64 begin = host_nanoseconds();
    EXPECT_EQ(grid_barrier(&sync, &verdict, 0, short_limit), 0U);
    EXPECT_GE(host_nanoseconds() - begin, short_limit);
    perdure_group = {0, 1};
}

TEST(AbandonedWait, EndsTheNextWaitOfAGroupThatComesLate) {
    grid_sync_t sync{};
    uint32 verdict = 0;
    perdure_group = {1, 3};
    EXPECT_EQ(grid_barrier(&sync, &verdict, 8, short_limit), 0U);
    perdure_group = {0, 3};
    EXPECT_EQ(grid_barrier(&sync, &verdict, 8, patience), 0U);
    perdure_group = {2, 3};
    EXPECT_EQ(grid_barrier(&sync, &verdict, 8, patience), 1U) << "all have arrived now";
    EXPECT_EQ(grid_barrier(&sync, &verdict, 9, patience), 0U);
    EXPECT_EQ(sync.waiting_group, 1U);
    EXPECT_EQ(sync.waiting_phase, 8U);
    EXPECT_EQ(sync.arrived_groups, 1U);
    perdure_group = {0, 1};
}

}  // namespace
}  // namespace perdure::tests
