// Waits for a group that never comes: every other group leaves, and the record says who waited for whom.
#include <gtest/gtest.h>

#include <atomic>

#include "tests/sync/barrier_kinds.hpp"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"
#include "tests/sync/one_barrier.hpp"

namespace perdure::tests::abandoned_wait_test {
namespace {

constexpr std::uint64_t short_limit = 5'000'000;
constexpr std::uint32_t barriers_before = 3;

/// Every group but `missing` waits in barrier `barriers_before`. With a `watcher`, that group comes when the
/// others have, then with a short limit, while theirs is long; without one (any other number) all limits are
/// short.
struct MissingGroup {
    uint32 kind;
    uint32 groups;
    uint32 missing;
    uint32 watcher;
    GridSyncMemory sync{groups};
    std::atomic<uint32> passed{0}, abandoned{0}, coming{0};

    void run() {
        run_groups(groups, [this] { run_group(); });
    }
    void run_group() {
        uint32 verdict = 0;
        grid_barrier_t barrier = make_grid_barrier(kind, sync.get(), &verdict, long_limit);
        for (uint32 phase = 0; phase < barriers_before; ++phase) {
            passed += grid_barrier(&barrier, phase);
        }
        if (group_index() == missing) {
            return;
        }
        const bool watching = group_index() == watcher;
        for (uint64 polls = 0; watching && coming < groups - 2; ++polls) {
            wait_pause(polls);
        }
        ++coming;
        barrier.limit = watcher < groups && !watching ? long_limit : short_limit;
        abandoned += 1 - grid_barrier(&barrier, barriers_before);
    }
    void expect_record() {
        EXPECT_EQ(passed, barriers_before * groups);
        EXPECT_EQ(abandoned, groups - 1);
        EXPECT_EQ(sync->abandoned, 1U);
        EXPECT_LT(sync->waiting_group, groups);
        EXPECT_NE(sync->waiting_group, missing);
        EXPECT_EQ(sync->waiting_phase, barriers_before);
        EXPECT_EQ(sync.row(ROW_LEFT)[missing], 0U);
    }
};

class AbandonedWait : public testing::TestWithParam<std::uint32_t> {};

TEST_P(AbandonedWait, IsRecordedByTheGroupWhoseLimitRanOutAndEndsTheWaitsOfAllOthers) {
    for (const uint32 groups : {2U, 3U, 5U, 18U}) {
        for (const uint32 missing : {0U, 1U, groups - 1}) {
            const uint32 watcher = (missing + 1) % groups;
            SCOPED_TRACE(std::to_string(groups) + " groups without " + std::to_string(missing));
            MissingGroup launch{GetParam(), groups, missing, watcher};
            launch.run();
            launch.expect_record();
            EXPECT_EQ(launch.sync->waiting_group, watcher);
            for (uint32 group = 0; group < groups; ++group) {
                EXPECT_EQ(launch.sync.row(ROW_LEFT)[group], group == missing ? 0U : uint32{LEFT_WAITING})
                    << "group " << group;
            }
        }
    }
}

TEST_P(AbandonedWait, IsRecordedOnceWhenManyLimitsRunOutTogether) {
    for (const uint32 missing : {0U, 3U}) {
        MissingGroup launch{GetParam(), 8, missing, 8};
        launch.run();
        launch.expect_record();
        EXPECT_EQ(launch.sync.row(ROW_LEFT)[launch.sync->waiting_group], LEFT_WAITING);
        for (uint32 group = 0; group < 8; ++group) {
            EXPECT_EQ(launch.sync.row(ROW_LEFT)[group] != 0, group != missing) << "group " << group;
        }
    }
}

TEST_P(AbandonedWait, LastsAtLeastTheLimit) {
    for (const uint32 group : {1U, 0U}) {
        const GridSyncMemory alone(2);
        perdure_group = {group, 2};
        const uint64 begin = host_nanoseconds();
        EXPECT_EQ(one_barrier(GetParam(), alone.get(), 0, short_limit), 0U);
        EXPECT_GE(host_nanoseconds() - begin, short_limit);
    }
    perdure_group = {0, 1};
}

TEST_P(AbandonedWait, EndsTheNextWaitOfAGroupThatComesLate) {
    const GridSyncMemory sync(4);
    perdure_group = {1, 4};
    EXPECT_EQ(one_barrier(GetParam(), sync.get(), 8, short_limit), 0U);
    perdure_group = {3, 4};
    EXPECT_EQ(one_barrier(GetParam(), sync.get(), 8, long_limit), 0U);
    perdure_group = {2, 4};
    EXPECT_EQ(one_barrier(GetParam(), sync.get(), 8, long_limit), 0U);
    EXPECT_EQ(sync.row(ROW_LEFT)[0], 0U);
    perdure_group = {0, 4};
    EXPECT_EQ(one_barrier(GetParam(), sync.get(), 8, long_limit), 1U) << "all have arrived now";
    EXPECT_EQ(one_barrier(GetParam(), sync.get(), 9, long_limit), 0U);
    EXPECT_EQ(sync->waiting_group, 1U);
    EXPECT_EQ(sync->waiting_phase, 8U);
    EXPECT_EQ(sync.row(ROW_LEFT)[1], LEFT_WAITING);
    for (const uint32 late : {0U, 2U, 3U}) {
        EXPECT_EQ(sync.row(ROW_LEFT)[late], LEFT_LATE) << "group " << late;
    }
    perdure_group = {0, 1};
}

INSTANTIATE_TEST_SUITE_P(Kinds, AbandonedWait, testing::ValuesIn(barrier_kinds),
                         [](const auto &kind) { return name_of(kind.param); });

/// A kind that host threads do not have, and one that nobody has: no group gets past it.
TEST(UnknownBarrier, IsAbandonedAtOnce) {
    for (const uint32 kind : {uint32{BARRIER_COOPERATIVE}, 7U}) {
        const GridSyncMemory sync(3);
        std::atomic<uint32> passed{0};
        run_groups(3, [&] { passed += one_barrier(kind, sync.get(), 17, long_limit); });
        EXPECT_EQ(passed, 0U);
        EXPECT_EQ(sync->abandoned, 1U);
        EXPECT_EQ(sync->waiting_phase, 17U);
    }
}

/// A wait goes on as long as what it polls changes, however small the limit.
TEST(BoundedWait, CountsOnlyTimeInWhichTheWordStandsStill) {
    const GridSyncMemory sync(1);
    wait_t wait = {0, 0, 0, 0};
    const uint64 begin = host_nanoseconds();
    for (uint32 seen = 0; host_nanoseconds() - begin < 20 * short_limit; ++seen) {
        ASSERT_EQ(keep_waiting(&wait, sync.get(), seen, 1, short_limit), 1U);
    }
    EXPECT_EQ(sync->abandoned, 0U);
    while (keep_waiting(&wait, sync.get(), 7, 1, short_limit) != 0) {
    }
    EXPECT_EQ(sync->abandoned, 1U);
    EXPECT_EQ(sync.row(ROW_LEFT)[0], LEFT_WAITING);
}

TEST(BoundedWait, KeepsTheStrongestWordOfTheItemsOfAGroup) {
    const GridSyncMemory sync(1);
    sync->abandoned = 1;
    wait_t waiting = {0, 1, 0, 0};
    while (keep_waiting(&waiting, sync.get(), 0, 1, long_limit) != 0) {
    }
    EXPECT_EQ(sync.row(ROW_LEFT)[0], LEFT_WAITING);
    wait_t late = {0, 0, 0, 0};
    while (keep_waiting(&late, sync.get(), 0, 1, long_limit) != 0) {
    }
    EXPECT_EQ(sync.row(ROW_LEFT)[0], LEFT_WAITING);
    EXPECT_EQ(sync->waiting_phase, 0U) << "the record is the first one's";
}

}  // namespace
}  // namespace perdure::tests::abandoned_wait_test
