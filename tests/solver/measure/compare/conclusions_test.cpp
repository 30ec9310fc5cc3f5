// What follows from times that were invented: medians, the best competitor, sizes where the order changes, advice.
#include <gtest/gtest.h>

#include "tests/solver/measure/compare/invented_points.hpp"

namespace perdure::compare::conclusions_test {
namespace {

TEST(Conclusions, MediansAndExtremes) {
    EXPECT_EQ((Samples{{3.0, 1.0, 2.0, 10.0}}).median(), 2.5);
    EXPECT_EQ((Samples{{3.0, 1.0, 2.0}}).median(), 2.0);
    EXPECT_EQ((Samples{{3.0, 1.0, 2.0}}).lowest(), 1.0);
    EXPECT_EQ((Samples{{3.0, 1.0, 2.0}}).highest(), 3.0);
}

TEST(Conclusions, SpeedUpIsOverTheBestOfManyLaunches) {
    const Point point =
        invented_point(64, {{"persistent", 2.0}, {"launches", 20.0}, {"graph", 4.0}, {"graph_while", 3.0}});
    EXPECT_EQ(best_multi_launch(point)->name, "graph_while");
    EXPECT_EQ(best_single_launch(point)->name, "persistent");
    EXPECT_DOUBLE_EQ(*speed_up(point, point.results[0]), 1.5);
    EXPECT_DOUBLE_EQ(*speed_up(point, point.results[1]), 0.15);
    EXPECT_DOUBLE_EQ(*speed_up(point, point.results[3]), 1.0);
}

TEST(Conclusions, WrongAnswersHaveNoSpeedUpAndAreNoCompetitors) {
    Point point = invented_point(64, {{"persistent", 2.0}, {"launches", 20.0}, {"graph_while", 1.0}});
    point.results[2].wrong =
        "field differs at cell (y 0, x 5): 1 instead of 2 by launches; in 1 of 4096 cells";
    EXPECT_EQ(best_multi_launch(point)->name, "launches");
    EXPECT_FALSE(speed_up(point, point.results[2]));
    EXPECT_DOUBLE_EQ(*speed_up(point, point.results[0]), 10.0);
    point.results[1].failure = "watchdog";
    EXPECT_EQ(best_multi_launch(point), nullptr);
    EXPECT_FALSE(speed_up(point, point.results[0]));
}

TEST(Conclusions, TheOrderChangesWhereTheLinesCross) {
    // twice as fast at 64, twice as slow at 1024: straight lines over logarithms meet in the middle
    const std::vector<Point> points{invented_point(1024, {{"persistent", 40.0}, {"launches", 20.0}}),
                                    invented_point(64, {{"persistent", 2.0}, {"launches", 4.0}})};
    const std::vector<OrderChange> changes = order_changes(points);
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].from, 64);
    EXPECT_EQ(changes[0].to, 1024);
    EXPECT_NEAR(changes[0].estimated, 256.0, 1.0e-9);
    EXPECT_EQ(changes[0].faster_below, "persistent");
    EXPECT_EQ(changes[0].faster_above, "launches");
}

TEST(Conclusions, LevelSizesArePassedOver) {
    const std::vector<Point> points{invented_point(64, {{"persistent", 2.0}, {"launches", 4.0}}),
                                    invented_point(128, {{"persistent", 8.0}, {"launches", 7.95}}),
                                    invented_point(256, {{"persistent", 20.0}, {"launches", 40.0}})};
    EXPECT_TRUE(order_changes(points).empty());
    EXPECT_EQ(advice(points), (std::vector<std::string>{
                                  "a device, float64: at 64 use persistent: 2.00 times as fast as launches, "
                                  "the best model with many launches; at 128 persistent and launches are "
                                  "equally fast; at 256 use persistent: 2.00 times as fast "
                                  "as launches, the best model with many launches."}));
}

TEST(Conclusions, WideSpreadsAreLevel) {
    Result one = invented_member("persistent", 10.0);
    Result other = invented_member("launches", 11.0);
    EXPECT_FALSE(level(one, other));
    one.seconds.values = {8.0e-6, 10.0e-6, 12.0e-6};
    other.seconds.values = {9.0e-6, 11.0e-6, 13.0e-6};
    EXPECT_TRUE(level(one, other));
}

TEST(Conclusions, AdviceNamesLossesAsReadily) {
    std::vector<Point> points{
        invented_point(64, {{"persistent", 2.0}, {"launches", 9.0}, {"graph_while", 3.0}}),
        invented_point(128, {{"persistent", 4.0}, {"launches", 12.0}, {"graph_while", 5.0}}),
        invented_point(256, {{"persistent", 16.0}, {"launches", 16.0}, {"graph_while", 10.0}})};
    EXPECT_EQ(advice(points),
              (std::vector<std::string>{"a device, float64: from 64 to 128 use persistent: 1.25 to 1.50 "
                                        "times as fast as graph_while, the best model with many launches; at "
                                        "256 use graph_while: 1.60 times as fast as persistent."}));
    points.push_back(invented_point(64, {{"persistent", 2.0}, {"launches", 1.0}}));
    points.back().precision = "float32";
    EXPECT_EQ(advice(points).size(), 2U);
    EXPECT_EQ(order_changes(points).size(), 1U) << "within one precision";
}

TEST(Conclusions, NothingIsSaidWhereNothingStandsAgainstAnother) {
    EXPECT_TRUE(advice({invented_point(64, {{"persistent", 2.0}})}).empty());
    EXPECT_TRUE(order_changes({invented_point(64, {{"launches", 2.0}})}).empty());
}

TEST(Conclusions, ThroughputAndShares) {
    Point point = invented_point(100, {{"persistent", 10.0}});
    Result &result = point.results[0];
    EXPECT_DOUBLE_EQ(bytes_per_second(point, result), 80.0e4 / 10.0e-6);
    EXPECT_FALSE(host_share(result));
    EXPECT_FALSE(barrier_share(point, result));
    result.device_seconds.values = {9.0e-6};
    EXPECT_NEAR(*host_share(result), 0.1, 1.0e-9);
    result.barriers = 200;
    result.barrier_seconds = 1.0e-6;
    EXPECT_NEAR(*barrier_share(point, result), 0.2, 1.0e-9);
    DeviceNote device;
    EXPECT_EQ(why_no_fraction(point, device), "the copy was not measured");
    device.copy_bytes_per_second = 3.0e12;
    point.copy_bytes_per_second = 3.1e12;
    EXPECT_EQ(why_no_fraction(point, device), "");
    point.copy_bytes_per_second = 5.0e12;
    EXPECT_EQ(why_no_fraction(point, device), "the fields fit into a cache");
    Result resident;
    resident.model = "resident";
    EXPECT_EQ(why_no_fraction(point, resident, device),
              "fields that stay on the chip are not moved in every iteration");
}

}  // namespace
}  // namespace perdure::compare::conclusions_test
