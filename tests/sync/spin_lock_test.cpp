#include "sync/spin_lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests::spin_lock_test {
namespace {

/// The loop that sync/spin_lock.h asks for.
template <typename Section>
uint32 with_device_lock(grid_sync_t *sync, uint32 *word, std::uint64_t limit, const Section &section) {
    wait_t wait = {0, 0, 0, 0};
    uint32 spin = SPIN_WAITING;
    while (spin == SPIN_WAITING) {
        if (try_spin_lock(word, SCOPE_DEVICE)) {
            section();
            spin_unlock(word, SCOPE_DEVICE);
            spin = SPIN_DONE;
        } else {
            spin = keep_spinning(&wait, sync, word, 7, limit);
        }
    }
    return spin;
}

TEST(TrySpinLock, TakesAFreeLockAndNoOther) {
    uint32 word = 0;
    EXPECT_EQ(try_spin_lock(&word, SCOPE_DEVICE), 1U);
    EXPECT_EQ(try_spin_lock(&word, SCOPE_DEVICE), 0U);
    spin_unlock(&word, SCOPE_DEVICE);
    EXPECT_EQ(try_spin_lock(&word, SCOPE_GROUP), 1U);
    EXPECT_EQ(try_spin_lock(&word, SCOPE_GROUP), 0U);
    EXPECT_EQ(try_spin_lock(&word, SCOPE_DEVICE), 0U);
    spin_unlock(&word, SCOPE_GROUP);
    EXPECT_EQ(word, 4U) << "a lock and an unlock change the word, a failed try does not";
}

TEST(TrySpinLock, WorksOnWhenItsWordWrapsAround) {
    uint32 word = 0xfffffffeU;
    for (int turn = 0; turn < 3; ++turn) {
        EXPECT_EQ(try_spin_lock(&word, SCOPE_DEVICE), 1U);
        EXPECT_EQ(try_spin_lock(&word, SCOPE_DEVICE), 0U);
        spin_unlock(&word, SCOPE_DEVICE);
    }
    EXPECT_EQ(word, 4U);
}

class SpinLock : public testing::TestWithParam<std::uint32_t> {};

/// Nothing but the lock orders the groups; what it guards are plain words that change together.
TEST_P(SpinLock, KeepsPlainWordsTogetherAndLosesNoChange) {
    constexpr uint32 turns = 2000;
    const GridSyncMemory sync(GetParam());
    uint32 word = 0xffffff00U;
    std::vector<std::uint64_t> words(50);
    std::atomic<uint32> torn{0}, unfinished{0};
    run_groups(GetParam(), [&] {
        for (uint32 turn = 0; turn < turns; ++turn) {
            const uint32 spin = with_device_lock(sync.get(), &word, long_limit, [&] {
                for (std::uint64_t &value : words) {
                    torn.fetch_add(value != words.back() && &value == words.data() ? 1 : 0,
                                   std::memory_order_relaxed);
                    ++value;
                }
            });
            unfinished.fetch_add(spin == SPIN_DONE ? 0 : 1, std::memory_order_relaxed);
        }
    });
    EXPECT_EQ(torn, 0U);
    EXPECT_EQ(unfinished, 0U);
    EXPECT_EQ(words, std::vector<std::uint64_t>(words.size(), std::uint64_t{turns} * GetParam()));
    EXPECT_EQ(word, 0xffffff00U + 2 * turns * GetParam());
    EXPECT_EQ(sync->abandoned, 0U);
}

/// With try-lock alone, whoever fails goes on with something else.
TEST_P(SpinLock, GuardsThoseWhoOnlyTry) {
    constexpr uint32 tries = 5000;
    uint32 word = 0;
    std::uint64_t guarded = 0;
    std::atomic<std::uint64_t> succeeded{0};
    run_groups(GetParam(), [&] {
        for (uint32 attempt = 0; attempt < tries; ++attempt) {
            if (try_spin_lock(&word, SCOPE_DEVICE)) {
                ++guarded;
                spin_unlock(&word, SCOPE_DEVICE);
                succeeded.fetch_add(1, std::memory_order_relaxed);
            }
        }
    });
    EXPECT_EQ(guarded, succeeded);
    EXPECT_GE(guarded, GetParam() == 1 ? tries : 1U);
}

INSTANTIATE_TEST_SUITE_P(Groups, SpinLock, testing::ValuesIn(group_counts));

/// A holder that never unlocks: all others give up, and the record names one of them.
TEST(AbandonedSpinLock, EndsTheWaitsOfAllOthers) {
    constexpr std::uint64_t short_limit = 2'000'000;
    constexpr uint32 groups = 5;
    const GridSyncMemory sync(groups);
    uint32 word = 0;
    ASSERT_EQ(try_spin_lock(&word, SCOPE_DEVICE), 1U);
    std::atomic<uint32> abandoned{0};
    run_groups(groups, [&] {
        const uint32 spin = with_device_lock(sync.get(), &word, short_limit, [] { FAIL() << "entered"; });
        abandoned += spin == SPIN_ABANDONED ? 1 : 0;
    });
    EXPECT_EQ(abandoned, groups);
    EXPECT_EQ(word, 1U);
    EXPECT_EQ(sync->abandoned, 1U);
    EXPECT_LT(sync->waiting_group, groups);
    EXPECT_EQ(sync->waiting_phase, 7U);
}

}  // namespace
}  // namespace perdure::tests::spin_lock_test
