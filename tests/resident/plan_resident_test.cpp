// Plans of resident runs on imaginary devices.
#include <array>

#include "tests/resident/plan_cases.hpp"

namespace perdure::tests::plan_resident_test {
namespace {

/// One more pipeline of as many warps would not fit.
TEST(PlanResident, TakesEveryMultiprocessorAndAsManyWarpsAsFit) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        const ResidentPlan plan = plan_resident(heat_case(4096, 4096, precision), h100);
        EXPECT_EQ(plan.refused, "");
        EXPECT_EQ(plan.groups, h100.units);
        EXPECT_EQ(plan.regime, ResidentRegime::through_memory);
        EXPECT_GT(plan.depth, 1);
        EXPECT_LE(plan.shared_bytes, h100.shared_bytes_per_group);
        EXPECT_LE(plan.group_size, h100.items_per_unit);
    }
    const ResidentPlan narrow = plan_resident(heat_case(4, 200000), h100);
    EXPECT_EQ(narrow.kernel, "heat_blocked_2d_varied") << "no whole lane of eight columns";
    EXPECT_EQ(plan_resident(heat_case(8, 200000), h100).kernel, "heat_blocked_2d");
}

TEST(PlanResident, KeepsFieldsThatFitOnTheChip) {
    for (const std::int64_t n : {256, 512, 700}) {
        for (const Precision precision : {Precision::float32, Precision::float64}) {
            const ResidentPlan plan = plan_resident(heat_case(n, n, precision), h100);
            EXPECT_EQ(plan.regime, ResidentRegime::field_on_chip);
            EXPECT_GE(plan.resident_bytes, n * n * (precision == Precision::float32 ? 4 : 8));
        }
    }
    EXPECT_EQ(plan_resident(heat_case(120, 120), mig_slice).regime, ResidentRegime::field_on_chip);
    Config fewer_groups = heat_case(256, 256);
    fewer_groups.execution.groups = 10;
    EXPECT_EQ(plan_resident(fewer_groups, h100).regime, ResidentRegime::through_memory);
}

TEST(PlanResident, UsesWideTilesWithTwoGroupsAMultiprocessor) {
    const ResidentPlan medium = plan_resident(heat_case(1024, 1024), h100);
    EXPECT_EQ(medium.regime, ResidentRegime::field_on_chip);
    EXPECT_GT(medium.groups, h100.units);
    EXPECT_EQ(medium.resident_bytes, 1024 * 1024 * 8);
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        const ResidentPlan large = plan_resident(heat_case(2048, 2048, precision), h100);
        EXPECT_EQ(large.regime, ResidentRegime::field_on_chip);
        EXPECT_LE(2 * (large.shared_bytes + 1024), h100.shared_bytes_per_group + 1024);
        EXPECT_EQ(plan_resident(heat_case(2200, 2200, precision), h100).kernel, "heat_blocked_2d");
    }
    EXPECT_EQ(plan_resident(heat_case(128, 8000), h100).kernel, "heat_blocked_2d") << "touches both sides";
    EXPECT_EQ(plan_resident(heat_case(8000, 47), h100).kernel, "heat_blocked_2d") << "few rows";
    Config periodic = heat_case(128 * 8, 1024);
    periodic.sides[0].kind = periodic.sides[1].kind = SideKind::periodic;
    EXPECT_EQ(plan_resident(periodic, h100).regime, ResidentRegime::field_on_chip);
    Config sourced = heat_case(1024, 1024);
    sourced.f.number = 1.0;
    EXPECT_EQ(plan_resident(sourced, h100).kernel, "heat_on_chip_2d_wide_6_constant_source");
    sourced.sigma.number = 1.0;
    EXPECT_EQ(plan_resident(sourced, h100).kernel, "heat_on_chip_2d_wide_6_constant_terms");
    sourced.f.kind = ValueSource::Kind::expression;
    sourced.grid.cells = {2048, 2048, 1};
    EXPECT_EQ(plan_resident(sourced, h100).kernel, "heat_blocked_2d") << "float64 has no room";
    sourced.execution.precision = Precision::float32;
    const ResidentPlan of_cells = plan_resident(sourced, h100);
    EXPECT_EQ(of_cells.kernel, "heat_on_chip_2d_wide_large_sourced");
    EXPECT_LE(2 * (of_cells.shared_bytes + 1024), h100.shared_bytes_per_group + 1024);
    Config varied = heat_case(1024, 1024);
    varied.a.kind = ValueSource::Kind::dataset;
    EXPECT_EQ(plan_resident(varied, h100).kernel, "heat_on_chip_2d_wide_small_varied");
    varied.grid.cells = {2048, 2048, 1};
    EXPECT_EQ(plan_resident(varied, h100).kernel, "heat_blocked_2d_varied") << "float64 has no room";
    varied.execution.precision = Precision::float32;
    const ResidentPlan with_conductances = plan_resident(varied, h100);
    EXPECT_EQ(with_conductances.kernel, "heat_on_chip_2d_wide_large_varied");
    EXPECT_LE(2 * (with_conductances.shared_bytes + 1024), h100.shared_bytes_per_group + 1024);
    const std::int64_t copies = std::int64_t{2048} * 2048 * 4 * 2;
    EXPECT_GT(with_conductances.message_bytes, copies);
    varied.sigma.number = 1.0;
    EXPECT_EQ(plan_resident(varied, h100).kernel, "heat_blocked_2d_varied") << "sigma inside";
    varied.sigma.number = 0.0;
    varied.type = ProblemType::diffusion;
    varied.solver.method = SolverMethod::jacobi;
    EXPECT_EQ(plan_resident(varied, h100).kernel, "jacobi_blocked_2d_varied") << "1/D varies, too";
    Config in_time = heat_case(1024, 1024);
    in_time.sides[2].values.time_factor = "sin(t)";
    EXPECT_EQ(plan_resident(in_time, h100).kernel, "heat_blocked_2d");
    EXPECT_EQ(plan_resident(in_time, h100).depth, 1) << "by phases";
    Config by_capacity = heat_case(1024, 1024);
    by_capacity.capacity.number = 3.0;
    EXPECT_TRUE(plan_resident(by_capacity, h100).refused.empty()) << "all terms are divided by it";
    by_capacity.capacity.kind = ValueSource::Kind::labels;
    EXPECT_EQ(plan_resident(by_capacity, h100).refused,
              "resident kernels do not support a capacity that varies: problem.capacity must be a number");
    EXPECT_EQ(plan_resident(heat_case(101, 100000), h100).depth, 1);
    EXPECT_EQ(plan_resident(heat_case(100, 100000), h100).depth, 8);
    ResidentDevice one_group = h100;
    one_group.shared_bytes_per_group = 60000;  // room for one group of the small variant
    EXPECT_EQ(plan_resident(heat_case(1024, 1024), one_group).kernel, "heat_blocked_2d");
    EXPECT_EQ(plan_resident(heat_case(700, 700), one_group).kernel, "heat_on_chip_2d_wide_6");
}

TEST(PlanResident, ExpectsMoreTimeForLargerGrids) {
    for (const bool varied : {false, true}) {
        std::vector<Config> squares{heat_case(256, 256),   heat_case(512, 512),   heat_case(1024, 1024),
                                    heat_case(2048, 2048), heat_case(4096, 4096), heat_case(8192, 8192)};
        if (varied) {
            for (Config &config : squares) {
                config.a.kind = ValueSource::Kind::dataset;
            }
            squares.erase(squares.begin(), squares.begin() + 2);
        }
        expect_longer_steps(squares, h100);
    }
    Config varied = heat_case(4096, 4096);
    varied.a.kind = ValueSource::Kind::dataset;
    EXPECT_GT(plan_resident(varied, h100).step_seconds,
              plan_resident(heat_case(4096, 4096), h100).step_seconds);
}

TEST(PlanResident, ComparesWithPredictionWhereThereIsOne) {
    EXPECT_EQ(compare_with_prediction(ResidentPlan{}, 1.0, 100), "");
    ResidentPlan plan;
    plan.step_seconds = 2.0e-6;
    EXPECT_EQ(compare_with_prediction(plan, 2.5e-4, 100),
              "resident: 2 us per step expected, 2.5 us measured including checks and launches");
}

TEST(PlanResident, SaysWhatItCannotRun) {
    Config config = heat_case(64, 64);
    config.type = ProblemType::diffusion;
    config.solver.method = SolverMethod::chebyshev;
    EXPECT_EQ(plan_resident(config, h100).refused,
              "there is no resident kernel for solver.method: chebyshev, only for jacobi and cg");
    config.solver.method = SolverMethod::jacobi;
    EXPECT_EQ(plan_resident(config, h100).kernel, "jacobi_on_chip_2d_small");
    config.velocity = VelocityConfig{};
    EXPECT_EQ(plan_resident(config, h100).refused, "resident kernels do not support a velocity");
    config.velocity.reset();
    config.grid.dimensions = 3;
    config.a.kind = ValueSource::Kind::dataset;
    EXPECT_EQ(plan_resident(config, h100).refused,
              "in three dimensions, resident kernels support varying coefficients only if the field fits on "
              "the chip in boxes of 32 x 8 x 8 or 32 x 16 x 16 cells, because temporally blocked "
              "kernels were slower than per-phase stepping");
}

Config heat_case_3d(std::int64_t nx, std::int64_t ny, std::int64_t nz, Precision precision) {
    Config config = heat_case(nx, ny, precision);
    config.grid.cells[2] = nz;
    config.grid.dimensions = 3;
    return config;
}

TEST(PlanResident, ExpectsMoreTimeForLargerGridsInThreeDimensions) {
    std::vector<Config> cubes;
    for (const std::int64_t n : {64, 96, 128, 256, 512}) {
        cubes.push_back(heat_case_3d(n, n, n, Precision::float64));
    }
    expect_longer_steps(cubes, h100);
}

TEST(PlanResident, UsesBoxesThatFit) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        const auto plan_of = [&](std::int64_t nx, std::int64_t ny, std::int64_t nz,
                                 const ResidentDevice &device = h100) {
            return plan_resident(heat_case_3d(nx, ny, nz, precision), device);
        };
        const ResidentPlan large = plan_of(128, 128, 128);
        EXPECT_EQ(large.kernel, "heat_on_chip_3d_large");
        EXPECT_EQ(large.regime, ResidentRegime::field_on_chip);
        EXPECT_LE(2 * (large.shared_bytes + 1024), h100.shared_bytes_per_group + 1024);
        EXPECT_DOUBLE_EQ(large.redundancy, 1.0);
        EXPECT_NE(describe(large).find("tiles of 32 x 16 x 16 cells per group"), std::string::npos);
        EXPECT_EQ(plan_of(64, 64, 64).kernel, "heat_on_chip_3d_small");
        EXPECT_EQ(plan_of(64, 64, 64).groups, 2 * 8 * 8);
        EXPECT_EQ(plan_of(32, 32, 32).groups, 16);
        EXPECT_EQ(plan_of(33, 17, 9).groups, 2 * 3 * 2) << "overlapping";
        EXPECT_EQ(plan_of(31, 64, 64).kernel, "heat_blocked_3d") << "less than a box";
        EXPECT_EQ(plan_of(64, 7, 64).kernel, "heat_blocked_3d");
        EXPECT_EQ(plan_of(64, 64, 7).kernel, "heat_blocked_3d");
        EXPECT_EQ(plan_of(132, 128, 128).kernel, "heat_blocked_3d") << "too many boxes";
        EXPECT_EQ(plan_of(64, 64, 32, mig_slice).kernel, "heat_on_chip_3d_large") << "16 multiprocessors";
        EXPECT_EQ(plan_of(128, 128, 64, mig_slice).kernel, "heat_blocked_3d");
        EXPECT_EQ(plan_of(64, 32, 16, desktop).kernel, "heat_on_chip_3d_small");
    }
    Config sourced = heat_case_3d(64, 64, 64, Precision::float64);
    sourced.f.number = 1.0;
    EXPECT_EQ(plan_resident(sourced, h100).kernel, "heat_on_chip_3d_small_sourced");
    Config varied = heat_case_3d(64, 64, 64, Precision::float64);
    varied.a.kind = ValueSource::Kind::dataset;
    EXPECT_EQ(plan_resident(varied, h100).kernel, "heat_on_chip_3d_small_varied");
    Config larger = heat_case_3d(96, 96, 96, Precision::float64);
    larger.a.kind = ValueSource::Kind::dataset;
    EXPECT_EQ(plan_resident(larger, h100).kernel, "heat_on_chip_3d_large_varied");
    EXPECT_EQ(plan_resident(larger, h100).group_size, 256);
    larger.grid.cells = {128, 128, 128};
    EXPECT_NE(plan_resident(larger, h100).refused, "") << "one group a multiprocessor";
    larger.execution.precision = Precision::float32;
    EXPECT_EQ(plan_resident(larger, h100).kernel, "heat_on_chip_3d_large_varied");
    EXPECT_GT(plan_resident(varied, h100).step_seconds, plan_resident(sourced, h100).step_seconds);
    Config in_time = heat_case_3d(64, 64, 64, Precision::float64);
    in_time.sides[4].values.time_factor = "sin(t)";
    EXPECT_EQ(plan_resident(in_time, h100).kernel, "heat_blocked_3d");
    Config fewer_groups = heat_case_3d(64, 64, 64, Precision::float64);
    fewer_groups.execution.groups = 100;
    EXPECT_EQ(plan_resident(fewer_groups, h100).kernel, "heat_blocked_3d");
}

TEST(PlanResident, SweepsThroughPlanesInThreeDimensions) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        for (const auto &cells : {std::array<std::int64_t, 3>{256, 256, 256}, {1, 1, 1}, {100000, 3, 2}}) {
            Config config = heat_case(cells[0], cells[1], precision);
            config.grid.cells = cells;
            config.grid.dimensions = 3;
            const ResidentPlan plan = plan_resident(config, h100);
            ASSERT_EQ(plan.refused, "");
            EXPECT_EQ(plan.kernel, "heat_blocked_3d");
            EXPECT_EQ(plan.groups, 132);
            EXPECT_LE(plan.group_size, h100.items_per_unit);
            EXPECT_LE(plan.shared_bytes, h100.shared_bytes_per_group);
            EXPECT_GT(plan.depth, 1);
            EXPECT_GE(plan.redundancy, 1.0);
            EXPECT_NE(plan_resident(config, desktop).refused.find("bytes of shared memory"),
                      std::string::npos);
        }
    }
}

TEST(PlanResident, LeavesStepsAroundTwoPlanesToThePhases) {
    Config config = heat_case(200, 200);
    config.grid.cells[2] = 2;
    config.grid.dimensions = 3;
    config.sides[4].kind = config.sides[5].kind = SideKind::periodic;
    const ResidentPlan plan = plan_resident(config, h100);
    EXPECT_EQ(plan.kernel, "heat_blocked_3d");
    EXPECT_EQ(plan.depth, 1);
    EXPECT_NE(describe(plan).find("at least three planes along a periodic axis"), std::string::npos);
}

TEST(PlanResident, LeavesGridsTooLargeForLoadBalancingToThePhases) {
    EXPECT_EQ(plan_resident(heat_case(2000000, 300), h100).depth, 8);
    EXPECT_EQ(plan_resident(heat_case(6000000, 300), h100).depth, 1) << "strips";
    EXPECT_EQ(plan_resident(heat_case(256, 20000000), h100).depth, 1) << "rows";
    Config config = heat_case(100000, 2000);
    config.grid.dimensions = 3;
    EXPECT_EQ(plan_resident(config, h100).depth, 1) << "tiles";
}
/// 35 strips of 256 columns for 8192, and eight additional rows for each of 528 pipelines.
TEST(PlanResident, KnowsHowMuchIsComputedTwice) {
    EXPECT_NEAR(plan_resident(heat_case(8192, 8192), h100).redundancy, 1.110, 0.001);
}

TEST(PlanResident, GridsOfAnyShapeHaveTiles) {
    for (const auto &[nx, ny] : {std::pair<std::int64_t, std::int64_t>{1, 1},
                                 {1, 100000},
                                 {100000, 1},
                                 {127, 131},
                                 {8192, 8192},
                                 {300000, 3}}) {
        const ResidentPlan plan = plan_resident(heat_case(nx, ny), h100);
        ASSERT_EQ(plan.refused, "") << nx << " x " << ny;
        EXPECT_GE(plan.tile_rows, 1);
        EXPECT_GE(plan.redundancy, 1.0);
        EXPECT_LE(plan.groups, h100.units);
        EXPECT_NE(describe(plan).find(name(plan.regime)), std::string::npos);
    }
}

}  // namespace
}  // namespace perdure::tests::plan_resident_test
