#include "solver/run/time_steps.hpp"
#include "solver/run/factors_in_time.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace perdure::time_steps_test {
namespace {

TimeConfig time_until(double end) {
    TimeConfig time;
    time.end = end;
    time.position = {"plate.yaml", 9, 3};
    time.step_position = {"plate.yaml", 10, 7};
    return time;
}

Config with(const TimeConfig &time) {
    Config config;
    config.type = ProblemType::heat;
    config.time = time;
    return config;
}

double sum(const std::vector<double> &sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 0.0);
}

TEST(TimeSegments, TheLastStepIsShortenedToEndOnTime) {
    const std::vector<TimeSegment> segments = time_segments(with(time_until(1.0)), 0.3);
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_EQ(segments[0].first_step, 0U);
    EXPECT_EQ(segments[0].steps, 4U);
    EXPECT_EQ(segments[0].start_time, 0.0);
    EXPECT_EQ(segments[0].end_time, 1.0);
    EXPECT_EQ(segments[0].step, 0.3);
    EXPECT_NEAR(segments[0].last_step, 0.1, 1.0e-15);
    EXPECT_NEAR(sum(step_sizes(segments)), 1.0, 1.0e-15);
    const std::vector<double> times = step_times(segments[0]);
    ASSERT_EQ(times.size(), 4U);
    EXPECT_EQ(times[0], 0.0);
    EXPECT_NEAR(times[3], 0.9, 1.0e-15);
    const std::vector<double> middles = step_times(segments[0], 0.5);
    EXPECT_NEAR(middles[0], 0.15, 1.0e-15);
    EXPECT_NEAR(middles[3], 0.95, 1.0e-15) << "the last step is shorter";
}

Config implicit(TimeIntegrator integrator, double end, std::vector<double> snapshots) {
    Config config = with(time_until(end));
    config.time->integrator = integrator;
    config.time->snapshot_times = std::move(snapshots);
    return config;
}

TEST(TimeSegments, ImplicitStepsDivideASegmentEvenly) {
    const std::vector<TimeSegment> segments =
        time_segments(implicit(TimeIntegrator::backward_euler, 2.0, {1.0, 1.5}), 0.3);
    ASSERT_EQ(segments.size(), 3U);
    EXPECT_EQ(segments[0].steps, 4U);
    EXPECT_EQ(segments[0].step, 0.25);
    EXPECT_EQ(segments[1].steps, 2U);
    EXPECT_EQ(segments[1].step, 0.25) << "the matrix of the segment before serves";
    EXPECT_EQ(segments[2].last_step, 0.25);
    EXPECT_EQ(segments[2].first_step, 6U);
    EXPECT_DOUBLE_EQ(sum(step_sizes(segments)), 2.0);
}

// Steps of 1/4 and of 1/5: where they begin, and in the first step of all, one has a matrix of its own.
TEST(TimeSegments, StepsThatRememberHaveASegmentForTheFirstOfAnotherSize) {
    const std::vector<TimeSegment> segments = time_segments(implicit(TimeIntegrator::bdf2, 1.6, {1.0}), 0.26);
    ASSERT_EQ(segments.size(), 4U);
    const ImplicitRule &rule = *method_of(implicit(TimeIntegrator::bdf2, 1.0, {})).implicit;
    for (const std::size_t i : {0, 2}) {
        EXPECT_EQ(segments[i].steps, 1U);
        EXPECT_FALSE(segments[i].ends_on_snapshot);
        EXPECT_TRUE(segments[i + 1].ends_on_snapshot);
        EXPECT_EQ(segments[i + 1].step_before, segments[i + 1].step);
        EXPECT_DOUBLE_EQ(step_weights(rule, segments[i + 1]).mass, 1.5 / segments[i].step);
    }
    EXPECT_EQ(step_weights(rule, segments[0]).mass, 1.0 / 0.25) << "backward Euler";
    EXPECT_EQ(step_weights(rule, segments[0]).before, 0.0);
    EXPECT_NEAR(step_weights(rule, segments[2]).mass, (1.0 + 2.0 * 0.8) / (1.8 * 0.2), 1.0e-12);
    EXPECT_DOUBLE_EQ(sum(step_sizes(segments)), 1.6);
}

TEST(TimeSegments, WholeStepsGetNoRemainder) {
    for (const std::uint32_t steps : {1U, 3U, 10U, 49U, 1000U, 123457U}) {
        const std::vector<TimeSegment> segments = time_segments(with(time_until(0.1 * steps)), 0.1);
        ASSERT_EQ(segments.size(), 1U);
        EXPECT_EQ(segments[0].steps, steps);
        EXPECT_NEAR(segments[0].last_step, 0.1, 1.0e-10);
        EXPECT_LE(segments[0].last_step, 0.1);
    }
}

TEST(TimeSegments, StepsAreShortenedAtSnapshotTimes) {
    TimeConfig time = time_until(2.0);
    time.snapshot_times = {0.5, 0.6, 1.25};
    const std::vector<TimeSegment> segments = time_segments(with(time), 0.2);
    ASSERT_EQ(segments.size(), 4U);
    const std::vector<std::uint32_t> first{0, 3, 4, 8}, steps{3, 1, 4, 4};
    const std::vector<double> ends{0.5, 0.6, 1.25, 2.0}, last{0.1, 0.1, 0.05, 0.15};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(segments[i].first_step, first[i]);
        EXPECT_EQ(segments[i].steps, steps[i]);
        EXPECT_EQ(segments[i].end_time, ends[i]);
        EXPECT_EQ(segments[i].start_time, i == 0 ? 0.0 : ends[i - 1]);
        EXPECT_NEAR(segments[i].last_step, last[i], 1.0e-15);
    }
    const std::vector<double> sizes = step_sizes(segments);
    EXPECT_EQ(sizes.size(), 12U);
    EXPECT_NEAR(sum(sizes), 2.0, 1.0e-14);
}

TEST(TimeSegments, ASnapshotAtTheEndIsNotDoubled) {
    TimeConfig time = time_until(1.0);
    time.snapshot_times = {0.5, 1.0};
    EXPECT_EQ(time_segments(with(time), 0.1).size(), 2U);
}

TEST(TimeSegments, SnapshotsEverySoManySteps) {
    TimeConfig time = time_until(1.0);
    time.snapshot_every = 3;
    const std::vector<TimeSegment> segments = time_segments(with(time), 0.12);
    ASSERT_EQ(segments.size(), 3U);
    EXPECT_EQ(segments[0].steps, 3U);
    EXPECT_NEAR(segments[0].end_time, 0.36, 1.0e-15);
    EXPECT_EQ(segments[1].steps, 3U);
    EXPECT_EQ(segments[2].first_step, 6U);
    EXPECT_EQ(segments[2].steps, 3U);
    EXPECT_NEAR(segments[2].last_step, 0.04, 1.0e-15);
    time.snapshot_every = 9;
    EXPECT_EQ(time_segments(with(time), 0.12).size(), 1U);
}

TEST(TimeSegments, RefuseMoreStepsThanCanBeCounted) {
    try {
        time_segments(with(time_until(1.0)), 1.0e-10);
        FAIL() << "accepted";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        EXPECT_STREQ(failure.what(),
                     "plate.yaml:9:3: error: time.end: 1 needs 1e+10 steps of 1e-10, more than 4e+09; end "
                     "earlier or "
                     "use a coarser grid; or take longer steps with an implicit time.method, "
                     "backward_euler, crank_nicolson or bdf2");
    }
}

TEST(ChooseTimeStep, TakesAPartOfTheStableOne) {
    Config config;
    config.type = ProblemType::heat;
    config.time = time_until(10.0);
    EXPECT_DOUBLE_EQ(choose_time_step(config, {0.5}), 0.45);
    EXPECT_DOUBLE_EQ(choose_time_step(config, {1.0e9}), 10.0);
    EXPECT_DOUBLE_EQ(choose_time_step(config, {2.0, 0.5, 1.0}), 0.45) << "that of the stiffest field";
}

TEST(ChooseTimeStep, RefusesAnUnstableOneAtItsPlace) {
    Config config;
    config.type = ProblemType::heat;
    config.time = time_until(10.0);
    config.time->step = 0.5;
    EXPECT_EQ(choose_time_step(config, {0.5}), 0.5);
    config.time->step = 0.51;
    try {
        choose_time_step(config, {0.5});
        FAIL() << "accepted";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        ASSERT_EQ(failure.diagnostics().size(), 1U);
        EXPECT_EQ(failure.diagnostics()[0].position.line, 10);
        EXPECT_EQ(failure.diagnostics()[0].position.column, 7);
        EXPECT_STREQ(
            failure.what(),
            "plate.yaml:10:7: error: time.dt: 0.51 is not stable: explicit steps on this grid with these "
            "coefficients need dt <= 0.5; use dt: auto, a smaller dt or a coarser grid; "
            "or take longer steps with an implicit time.method, backward_euler, crank_nicolson or bdf2");
    }
}

TEST(TimeSegments, EveryStepsIsNotTakenForTheEndThatTheLoaderListsAsSnapshot) {
    TimeConfig time = time_until(0.1);
    time.snapshot_every = 10;
    time.snapshot_times = {0.1};
    const std::vector<TimeSegment> segments = time_segments(with(time), 1.0e-3);
    ASSERT_EQ(segments.size(), 10U);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        EXPECT_EQ(segments[i].first_step, 10 * i);
        EXPECT_EQ(segments[i].steps, 10U);
        EXPECT_NEAR(segments[i].end_time, 0.01 * static_cast<double>(i + 1), 1.0e-15);
        EXPECT_GT(segments[i].last_step, 0.0);
    }
    EXPECT_EQ(segments.back().end_time, 0.1);
}

TEST(TimeFactors, AFactorThatIsNotFiniteIsRefusedAtItsPlace) {
    Config config = with(time_until(1.0));
    config.text = "problem: {f: {expression: x, factor: 1/t}}\n";
    config.f.time_factor = "1/t";
    config.f.position = {"plate.yaml", 1, 14};
    try {
        check_time_factors(config, time_segments(config, 0.5));
        FAIL() << "accepted";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        EXPECT_EQ(failure.diagnostics().at(0).position.column, 14);
        EXPECT_NE(std::string(failure.what()).find("infinite at t = 0"), std::string::npos) << failure.what();
    }
}

}  // namespace
}  // namespace perdure::time_steps_test
