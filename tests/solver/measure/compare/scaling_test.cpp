#include "solver/measure/compare/scaling.hpp"

#include <gtest/gtest.h>

namespace perdure::compare::scaling_test {
namespace {

ScalingModel model_of(const std::array<std::int64_t, 3> &cells, int dimensions, double copy, int phases) {
    return {copy, 1.2e-6, phases, choose_boxes(cells, dimensions), cells, 1};
}

TEST(Scaling, HalvesTheCopyAndAddsAWayBetweenDevices) {
    const ScalingModel model = model_of({512, 512, 512}, 3, 1.0e-3, 2);
    EXPECT_DOUBLE_EQ(predicted_seconds(model, 1), 1.0e-3 + 2 * 1.2e-6);
    EXPECT_DOUBLE_EQ(predicted_seconds(model, 2), 0.5e-3 + 2 * 2.4e-6);
    EXPECT_DOUBLE_EQ(predicted_seconds(model, 8), 0.125e-3 + 2 * 2.4e-6);
}

/// Of two devices one has the larger part.
TEST(Scaling, GoesByTheLargestPart) {
    const std::array<std::int64_t, 3> cells{300, 500, 211};
    const double cut = cuts_between(2, choose_boxes(cells, 3), cells).front();
    EXPECT_NE(cut, 0.5);
    EXPECT_DOUBLE_EQ(predicted_seconds(model_of(cells, 3, 1.0, 0), 2), std::max(cut, 1.0 - cut));
}

/// What was measured on two devices says the same of one as what was measured there.
TEST(Scaling, DoesNotDependOnWhereItWasMeasured) {
    const ScalingModel one = model_of({512, 512, 512}, 3, 1.0e-3, 3);
    ScalingModel two = one;
    two.devices = 2;
    two.copy_seconds = 0.5e-3;
    two.barrier_seconds = 2.4e-6;
    for (const int devices : {1, 2, 4}) {
        EXPECT_DOUBLE_EQ(predicted_seconds(two, devices), predicted_seconds(one, devices)) << devices;
    }
}

TEST(Scaling, IsPrintedForUpToEightDevices) {
    EXPECT_EQ(
        scaling_text(model_of({512, 512, 512}, 3, 0.8e-3, 1), "a", "step"),
        "801.2 us a step on 1 device, 402.4 on 2, 202.4 on 4, 102.4 on 8, as predicted from the copy and the "
        "barrier");
}

}  // namespace
}  // namespace perdure::compare::scaling_test
