// Shares of the time from words that were invented.
#include "solver/measure/compare/part_shares.hpp"

#include <gtest/gtest.h>

#include "kernels/part_times.h"

namespace perdure::compare::part_shares_test {
namespace {

/// Ticks are twice as many as nanoseconds. 2000 ns from begin to end, 1500 of them in launches.
std::vector<std::uint64_t> words_of_a_group(std::uint64_t begin) {
    std::vector<std::uint64_t> words(TIMES_WORDS);
    words[PART_STENCIL] = 2000;
    words[PART_REDUCTION] = 400;
    words[PART_BARRIER] = 600;
    words[TIMES_LAUNCHES] = 1500;
    words[TIMES_OF_HOST] = 100;
    words[TIMES_BEGIN] = begin;
    words[TIMES_END] = begin + 2000;
    return words;
}

std::vector<std::uint64_t> words_of_two_groups() {
    std::vector<std::uint64_t> words = words_of_a_group(1'000'000);
    const std::vector<std::uint64_t> others = words_of_a_group(1'000'010);
    words.insert(words.end(), others.begin(), others.end());
    return words;
}

TEST(PartShares, OfAPersistentLaunch) {
    const PartShares shares = part_shares(words_of_two_groups(), ExecutionModel::persistent, 2.0e-6);
    EXPECT_NEAR(shares.stencil, 0.5, 1.0e-12);
    EXPECT_NEAR(shares.reduction, 0.1, 1.0e-12);
    EXPECT_NEAR(shares.barrier, 0.15, 1.0e-12);
    EXPECT_NEAR(shares.host, 0.25, 1.0e-12);
}

TEST(PartShares, TheEdgeBetweenLaunchesIsTheirBarrier) {
    // 500 ns lie between launches; the host had a hand in 100 of them, but for loops on the device
    for (const ExecutionModel model : {ExecutionModel::launches, ExecutionModel::graph}) {
        const PartShares shares = part_shares(words_of_two_groups(), model, 4.0e-6);
        EXPECT_NEAR(shares.stencil, 0.25, 1.0e-12);
        EXPECT_NEAR(shares.barrier, 0.1, 1.0e-12);
        EXPECT_NEAR(shares.host, 0.6, 1.0e-12);
    }
    EXPECT_NEAR(part_shares(words_of_two_groups(), ExecutionModel::graph_while, 4.0e-6).barrier, 0.125,
                1.0e-12);
}

TEST(PartShares, AddUpToOneWhereClocksDisagree) {
    const PartShares shares = part_shares(words_of_two_groups(), ExecutionModel::persistent, 1.0e-6);
    EXPECT_NEAR(shares.stencil + shares.reduction + shares.barrier, 1.0, 1.0e-12);
    EXPECT_NEAR(shares.host, 0.0, 1.0e-12);
}

TEST(PartShares, AreNothingWhereNoClockRan) {
    const PartShares shares =
        part_shares(std::vector<std::uint64_t>(TIMES_WORDS), ExecutionModel::persistent, 1.0e-6);
    EXPECT_EQ(shares.stencil + shares.reduction + shares.barrier + shares.host, 0.0);
}

}  // namespace
}  // namespace perdure::compare::part_shares_test
