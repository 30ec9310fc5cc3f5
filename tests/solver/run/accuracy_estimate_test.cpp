#include "solver/run/accuracy_estimate.hpp"

#include <fmt/format.h>

#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::accuracy_estimate_test {
namespace {

/// ||b - Au|| / ||b|| at which conjugate gradients in float32 stop improving.
double measured_floor(const Problem &problem) {
    Case test_case{{}, problem};
    test_case.config.execution.precision = Precision::float32;
    test_case.config.solver.rtol = 1.0e-14;
    test_case.config.solver.max_iterations = 100000;
    const Report report = run(test_case, host_device()).report;
    EXPECT_EQ(report.stop, StopReason::accuracy_limit) << describe_case(test_case);
    return report.residual / report.right_hand_side_norm;
}

double floor_of(const Problem &problem, Precision precision) {
    return estimate_floor(problem.grid, problem.only_field(),
                          find_active_cells(problem.grid, problem.only_field()), precision)
        .relative;
}

void expect_same_magnitude(const Problem &problem, const char *what) {
    const double estimated = floor_of(problem, Precision::float32);
    const double measured = measured_floor(problem);
    EXPECT_LT(estimated, 30.0 * measured) << what;
    EXPECT_GT(estimated, measured / 30.0) << what;
}

TEST(AccuracyEstimate, IsNearWhatIsReached) {
    Problem heated;
    heated.fields.emplace_back().name = "u";
    heated.grid = box({64, 64});
    heated.only_field().a.values = {1.0};
    heated.only_field().f.values = {1.0};
    for (int side = 0; side < 4; ++side) {
        heated.only_field().sides[side].kind = SideKind::value;
    }
    expect_same_magnitude(heated, "source, zero sides");

    Problem through_flow;
    through_flow.fields.emplace_back().name = "u";
    through_flow.grid = box({24, 24, 24});
    through_flow.only_field().a.values = {2.0};
    through_flow.only_field().sides[4].kind = through_flow.only_field().sides[5].kind = SideKind::value;
    through_flow.only_field().sides[4].values.values = {1.0};
    expect_same_magnitude(through_flow, "from side to side");

    Problem exchanging = heated;
    for (int side = 0; side < 4; ++side) {
        exchanging.only_field().sides[side].kind = SideKind::exchange;
        exchanging.only_field().sides[side].coefficient.values = {5.0};
        exchanging.only_field().sides[side].values.values = {3.0};
    }
    expect_same_magnitude(exchanging, "exchange sides");
}

TEST(AccuracyEstimate, FollowsPrecisionAndSpacing) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.only_field().a.values = {1.0};
    problem.only_field().f.values = {1.0};
    for (int side = 0; side < 4; ++side) {
        problem.only_field().sides[side].kind = SideKind::value;
    }
    problem.grid = box({32, 32});
    const double coarse = floor_of(problem, Precision::float64);
    EXPECT_DOUBLE_EQ(floor_of(problem, Precision::float32), 536870912.0 * coarse);
    problem.grid = box({64, 64});
    EXPECT_NEAR(floor_of(problem, Precision::float64), 4.0 * coarse, 1.0e-12 * coarse);
    problem.only_field().f.values = {0.0};
    EXPECT_EQ(floor_of(problem, Precision::float64), 0.0) << "b = 0";
}

TEST(AccuracyEstimate, SaysWhichToleranceCanBeReached) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.only_field().a.values = {1.0};
    problem.only_field().f.values = {1.0};
    problem.only_field().sides[0].kind = SideKind::value;
    problem.grid = box({64, 64});
    Config config;
    EXPECT_EQ(warn_of_rounding(config, problem, {}), "") << "float64, rtol 1e-8";
    config.execution.precision = Precision::float32;
    const double floor = floor_of(problem, Precision::float32);
    EXPECT_EQ(
        warn_of_rounding(config, problem, {}),
        fmt::format("solver.rtol: 1.0e-08 is below what rounding in float32 lets the residual reach here, "
                    "about {:.0e} of the right-hand side; the run may end with 'accuracy limit'; if it does, "
                    "take rtol: 1e-02, or execution.precision: float64",
                    floor));
    config.solver.rtol = 1.0e-2;
    EXPECT_EQ(warn_of_rounding(config, problem, {}), "");
    config.solver.rtol = 1.0e-8;
    config.solver.atol = 64.0;  // ||b||
    EXPECT_EQ(warn_of_rounding(config, problem, {}), "");
    config.solver.atol = 0.0;
    config.execution.precision = Precision::float64;
    config.solver.rtol = 1.0e-15;
    EXPECT_NE(warn_of_rounding(config, problem, {}), "");
}

}  // namespace
}  // namespace perdure::tests::accuracy_estimate_test
