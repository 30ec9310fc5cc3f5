// Sizes, what an earlier call left, time limits, and the report that carries all of it. On host threads.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "solver/measure/compare/report.hpp"
#include "solver/measure/compare/scale_case.hpp"
#include "solver/measure/compare/sweep.hpp"
#include "tests/solver/measure/compare/invented_points.hpp"

namespace perdure::compare::sweep_test {
namespace {

Config input(const std::string &name, std::vector<std::string> overrides = {}) {
    overrides.emplace_back("execution.backend=host");
    return load_config(std::string(PERDURE_SOURCE_DIR) + "/inputs/" + name, overrides);
}

SweepOptions quick(const Config &config, std::vector<std::int64_t> sizes) {
    SweepOptions options;
    options.sizes = std::move(sizes);
    options.contenders = contenders({}, {}, false, config);
    options.repetitions = 2;
    options.iterations = 10;
    return options;
}

std::vector<std::int64_t> sizes_of(const Comparison &comparison) {
    std::vector<std::int64_t> sizes;
    for (const Point &point : comparison.points) {
        sizes.push_back(point.size());
    }
    return sizes;
}

void ignore(const Point &) {}

TEST(Sizes, KeepTheBox) {
    const Config config = input("heated_plate.yaml");
    const Config half = at_size(config, 64);
    EXPECT_EQ(half.grid.cells, (std::array<std::int64_t, 3>{64, 32, 1}));
    EXPECT_DOUBLE_EQ(half.grid.spacing[0], 2.0 * config.grid.spacing[0]);
    EXPECT_DOUBLE_EQ(half.grid.spacing[1], 2.0 * config.grid.spacing[1]);
    EXPECT_EQ(at_size(config, 128).grid.cells, config.grid.cells);
    EXPECT_FALSE(at_size(input("heated_plate.yaml", {"time.dt=0.01"}), 256).time->step) << "unstable there";
    EXPECT_THROW(at_size(config, 100'000), Failure) << "2^31 cells and more";
}

TEST(Sizes, OfADatasetAreFixed) {
    const Config config = input("effective_diffusivity.yaml");
    EXPECT_EQ(at_size(config, own_size(config)).grid.cells, config.grid.cells);
    try {
        at_size(config, 32);
        FAIL();
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        EXPECT_STREQ(failure.what(),
                     "--sizes: a of this case comes from a dataset, whose shape is fixed, so only the case's "
                     "own size, 100, can be compared");
    }
}

TEST(Sweep, MeasuresOnlyWhatIsNotThere) {
    const Config config = input("manufactured_poisson_2d.yaml");
    Comparison comparison;
    int measured = 0;
    const auto count = [&](const Point &) { ++measured; };
    sweep(config, quick(config, {16, 24}), comparison, count);
    EXPECT_EQ(measured, 2);
    sweep(config, quick(config, {16, 24, 32}), comparison, count);
    EXPECT_EQ(measured, 3);
    EXPECT_EQ(sizes_of(comparison), (std::vector<std::int64_t>{16, 24, 32}));
    comparison.points[0].complete = false;
    comparison.points[1].results[0].wrong = "as the test wants it";
    sweep(config, quick(config, {16, 24, 32}), comparison, count);
    EXPECT_EQ(measured, 5) << "what was cut short or wrong is measured again";
    EXPECT_FALSE(comparison.wrong());
    ASSERT_EQ(comparison.devices.size(), 1U);
    EXPECT_GT(comparison.devices[0].copy_bytes_per_second, 1.0e8);
    EXPECT_GE(comparison.devices[0].missing.size(), 2U) << "graph, graph_while and what else CUDA alone has";
}

TEST(Sweep, PrecisionsEach) {
    const Config config = input("heated_plate.yaml");
    Comparison comparison;
    SweepOptions options = quick(config, {16});
    options.precisions = {Precision::float32, Precision::float64};
    sweep(config, options, comparison, ignore);
    ASSERT_EQ(comparison.points.size(), 2U);
    EXPECT_EQ(comparison.points[0].precision, "float32");
    EXPECT_EQ(comparison.points[1].bytes_per_iteration, 2.0 * comparison.points[0].bytes_per_iteration);
}

TEST(Sweep, AnotherDeviceIsRefused) {
    const Config config = input("manufactured_poisson_2d.yaml");
    Comparison comparison;
    comparison.devices.push_back({"host", "another host", "", 1, false, 1.0, {}});
    try {
        sweep(config, quick(config, {16}), comparison, ignore);
        FAIL();
    } catch (const Failure &failure) {
        EXPECT_NE(std::string(failure.what()).find("on another device, another host"), std::string::npos);
    }
}

TEST(Sweep, TimeEndsItAndAutomaticSizesFitIt) {
    const Config config =
        input("manufactured_poisson_2d.yaml", {"grid.shape=[32, 32]", "grid.spacing=0.03125"});
    SweepOptions options = quick(config, {});
    options.automatic_sizes = true;
    options.time_limit = 2.0;
    Comparison comparison;
    sweep(config, options, comparison, ignore);
    ASSERT_GE(comparison.points.size(), 2U);
    EXPECT_EQ(comparison.points[0].size(), 32);
    EXPECT_EQ(comparison.points[1].size(), 16);
    EXPECT_TRUE(comparison.out_of_time);
    EXPECT_FALSE(comparison.not_measured.empty());
    options.time_limit = 1.0e-6;
    Comparison nothing;
    sweep(config, options, nothing, ignore);
    EXPECT_TRUE(nothing.points.empty());
    EXPECT_TRUE(nothing.out_of_time);
    EXPECT_EQ(nothing.not_measured[0].why, "out of time");
}

TEST(Report, ComesBackFromJson) {
    Comparison comparison;
    comparison.version = "1";
    comparison.title = "a case";
    comparison.models = {"persistent", "launches"};
    comparison.devices.push_back({"cuda", "a device", "driver 1", 4, true, 3.0e12, {{"graph", "too old"}}});
    comparison.points.push_back(invented_point(64, {{"persistent", 2.0}, {"launches", 5.0}}));
    Result &result = comparison.points[0].results[0];
    result.barrier = "tree";
    result.device_seconds.values = {1.9e-6};
    result.check_seconds = 1.0e-7;
    result.check_seen = true;
    result.barriers = 100;
    result.barrier_seconds = 1.0e-6;
    const nlohmann::ordered_json json = to_json(comparison);
    EXPECT_EQ(json, to_json(from_json(nlohmann::ordered_json::parse(json.dump()))));
    EXPECT_EQ(json["benchmark"], "compare");
    const auto &written = json["points"][0]["members"][0];
    EXPECT_EQ(written["status"], "measured");
    EXPECT_DOUBLE_EQ(written["speed_up_over_best_multi_launch"], 2.5);
    EXPECT_DOUBLE_EQ(written["barriers_per_iteration"], 1.0);
    EXPECT_DOUBLE_EQ(written["seconds_per_iteration"]["median"], 2.0e-6);
    EXPECT_GT(written["fraction_of_copy"], 0.0);
    EXPECT_GT(written["barrier_share_estimated"], 0.0);
    EXPECT_EQ(json["points"][0]["best_multi_launch"], "launches");
    EXPECT_EQ(json["advice"].size(), 1U);
}

TEST(Report, WhatDiffersIsSaid) {
    Comparison earlier;
    earlier.case_text = "a: 1";
    earlier.models = {"persistent"};
    earlier.repetitions = 7;
    Comparison now = earlier;
    EXPECT_EQ(why_not_resumed(earlier, now), "");
    now.repetitions = 3;
    EXPECT_EQ(why_not_resumed(earlier, now), "7 repetitions, now 3");
    now = earlier;
    now.models = {"persistent", "launches"};
    EXPECT_EQ(why_not_resumed(earlier, now), "other models: persistent, now persistent, launches");
    now = earlier;
    now.case_text = "a: 2";
    EXPECT_NE(why_not_resumed(earlier, now).find("another case"), std::string::npos);
}

TEST(Report, TablesRefuseASpeedUpForAWrongAnswer) {
    Comparison comparison;
    comparison.title = "a case";
    comparison.points.push_back(invented_point(64, {{"persistent", 2.0}, {"launches", 5.0}}));
    comparison.points[0].results[0].wrong = "field differs at cell (y 0, x 5)";
    for (const std::string &text : {point_table(comparison, comparison.points[0]), markdown(comparison)}) {
        EXPECT_NE(text.find("refused"), std::string::npos) << text;
        EXPECT_NE(text.find("persistent is WRONG, so no speed-up is given: field differs at cell (y 0, x 5)"),
                  std::string::npos);
        EXPECT_EQ(text.find("2.50"), std::string::npos) << text;
    }
    EXPECT_TRUE(comparison.wrong());
    EXPECT_EQ(comparison.failures().size(), 1U);
    EXPECT_EQ(markdown(comparison).rfind(markdown_begin, 0), 0U);
}

}  // namespace
}  // namespace perdure::compare::sweep_test
