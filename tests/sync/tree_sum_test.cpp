#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "sync/tree_sum.h"

namespace perdure::tests::tree_sum_test {
namespace {

/// The documented order from the top down: a lane at some stride is itself plus the lane one stride further,
/// each as they were at twice the stride; at stride LANES they are the values given.
double pairwise_sum(const double *lanes, std::size_t lane, std::size_t stride) {
    if (stride == LANES) {
        return lanes[lane];
    }
    return pairwise_sum(lanes, lane, 2 * stride) + pairwise_sum(lanes, lane + stride, 2 * stride);
}

/// Values of both signs and many sizes: any other order of addition gives other bits.
std::vector<double> sample_lanes(std::uint64_t seed, std::size_t rows) {
    std::mt19937_64 generator(seed);
    std::vector<double> lanes(rows * LANES);
    for (double &lane : lanes) {
        const auto raw = static_cast<std::int64_t>(generator());
        lane = std::ldexp(static_cast<double>(raw), static_cast<int>(generator() % 40) - 80);
    }
    return lanes;
}

TEST(TreeSum, AddsRowsInTheDocumentedOrderBitForBit) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (uint32 sums = 1; sums <= 4; ++sums) {
            const std::vector<double> before = sample_lanes(seed, 4);
            std::vector<double> lanes = before;
            tree_sum(lanes.data(), sums);
            for (std::size_t row = 0; row < sums; ++row) {
                EXPECT_EQ(lanes[row * LANES], pairwise_sum(&before[row * LANES], 0, 1)) << "row " << row;
            }
        }
    }
}

TEST(TreeSum, IsNotTheSumFromLeftToRight) {
    const std::vector<double> before = sample_lanes(1, 1);
    std::vector<double> lanes = before;
    tree_sum(lanes.data(), 1);
    EXPECT_NE(lanes[0], std::accumulate(before.begin(), before.end(), 0.0))
        << "the samples must tell orders apart";
}

TEST(TreeSum, LeavesRowsBeyondItsSumsAlone) {
    const std::vector<double> before = sample_lanes(3, 4);
    std::vector<double> lanes = before;
    tree_sum(lanes.data(), 2);
    for (std::size_t lane = std::size_t{2} * LANES; lane < lanes.size(); ++lane) {
        EXPECT_EQ(lanes[lane], before[lane]);
    }
}

TEST(TreeSum, OfWholeNumbersIsExact) {
    std::vector<double> lanes(LANES);
    std::iota(lanes.begin(), lanes.end(), 1.0);
    tree_sum(lanes.data(), 1);
    EXPECT_EQ(lanes[0], 0.5 * LANES * (LANES + 1));
}

TEST(TreeSum, CancelsWhatItsOrderPairsFirst) {
    std::vector<double> lanes(LANES, 0.0);
    lanes[5] = 1.0e200;
    lanes[5 + LANES / 2] = -1.0e200;
    lanes[6] = 1.0;
    tree_sum(lanes.data(), 1);
    EXPECT_EQ(lanes[0], 1.0);
}

TEST(TreeSum, KeepsANanOfAnyLane) {
    for (std::size_t lane = 0; lane < LANES; ++lane) {
        std::vector<double> lanes(LANES, 1.0);
        lanes[lane] = std::numeric_limits<double>::quiet_NaN();
        tree_sum(lanes.data(), 1);
        EXPECT_TRUE(std::isnan(lanes[0])) << "lane " << lane;
    }
}

TEST(TreeMax, FindsTheLargestInAnyLane) {
    for (std::size_t lane = 0; lane < LANES; ++lane) {
        std::vector<double> lanes(LANES, -3.0);
        lanes[lane] = -2.0;
        tree_max(lanes.data());
        EXPECT_EQ(lanes[0], -2.0) << "lane " << lane;
    }
}

TEST(TreeMax, KeepsANanOfAnyLaneEvenBesideInfinity) {
    for (std::size_t lane = 0; lane < LANES; ++lane) {
        std::vector<double> lanes(LANES, std::numeric_limits<double>::infinity());
        lanes[lane] = std::numeric_limits<double>::quiet_NaN();
        tree_max(lanes.data());
        EXPECT_TRUE(std::isnan(lanes[0])) << "lane " << lane;
    }
}

TEST(Larger, IsTheLargerOrTheNan) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(larger(1.0, 2.0), 2.0);
    EXPECT_EQ(larger(2.0, 1.0), 2.0);
    EXPECT_EQ(larger(-infinity, -1.0), -1.0);
    EXPECT_EQ(larger(infinity, 1.0), infinity);
    EXPECT_TRUE(std::isnan(larger(nan, 1.0)));
    EXPECT_TRUE(std::isnan(larger(1.0, nan)));
    EXPECT_TRUE(std::isnan(larger(nan, nan)));
}

}  // namespace
}  // namespace perdure::tests::tree_sum_test
