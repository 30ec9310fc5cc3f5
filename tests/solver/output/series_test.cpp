#include "solver/output/series.hpp"

#include <gtest/gtest.h>

namespace perdure::tests::series_test {
namespace {

std::vector<double> settled(double origin, double interval, std::vector<double> times) {
    without_rounding(origin, interval, times);
    return times;
}

TEST(WithoutRounding, TimesAreTheMultiplesThatTheyMean) {
    double sum = 0.0;
    for (int i = 0; i < 475; ++i) {
        sum += 0.1;
    }
    ASSERT_NE(sum, 47.5);
    EXPECT_EQ(settled(0.0, 0.1, {0.0, 3 * 0.1, sum}), (std::vector<double>{0.0, 0.3, 47.5}));
    EXPECT_EQ(settled(0.0, 2.5, {sum}), std::vector<double>{47.5});
    EXPECT_EQ(settled(0.7, 0.1, {0.7 + 0.1}), std::vector<double>{0.8});
}

TEST(WithoutRounding, OthersStayAsTheyAre) {
    const std::vector<double> between{0.15, 0.1 + 2.0e-10, 1.0 / 3.0};
    EXPECT_EQ(settled(0.0, 0.1, between), between);
    EXPECT_EQ(settled(0.0, 0.0, between), between);
    EXPECT_EQ(settled(0.0, 1.0 / 3.0, {1.0 / 3.0}), std::vector<double>{1.0 / 3.0}) << "no short decimal";
}

}  // namespace
}  // namespace perdure::tests::series_test
