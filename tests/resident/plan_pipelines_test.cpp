// Plans of warp pipelines, on imaginary devices.
#include "tests/resident/plan_cases.hpp"

namespace perdure::plan_pipelines_test {
namespace {

const ResidentDevice whole_device{132, 65536, 2048, 232448, ""};  // an H100
const ResidentDevice smaller_device{10, 65536, 1536, 101376, ""};
const ResidentDevice smallest_device{20, 65536, 1024, 65536, ""};

Config varied_heat(std::int64_t n, Precision precision = Precision::float64) {
    Config config;
    config.type = ProblemType::heat;
    config.a.kind = ValueSource::Kind::dataset;
    config.grid.cells = {n, n, 1};
    config.execution.precision = precision;
    return config;
}

TEST(PlanPipelines, TakeCoefficientsThatVary) {
    Config config = varied_heat(2048);
    const ResidentPlan plan = plan_resident(config, whole_device);
    EXPECT_EQ(plan.refused, "");
    EXPECT_EQ(plan.kernel, "heat_blocked_2d_varied");
    EXPECT_EQ(plan.groups, 132);
    EXPECT_EQ(plan.group_size, 3 * 128);
    EXPECT_EQ(plan.shared_bytes, 3 * (4 + 4 * 15 + 6) * 128 * 8);
    EXPECT_EQ(plan.depth, 8);
    EXPECT_NE(describe(plan).find("per pipeline of 4 warps"), std::string::npos);
    EXPECT_EQ(plan_resident(config, smaller_device).group_size, 128) << "one fits";
    EXPECT_NE(plan_resident(config, smallest_device).refused.find("bytes of shared memory"),
              std::string::npos);
    config.sides[0].values.time_factor = "sin(t)";
    EXPECT_EQ(plan_resident(config, whole_device).depth, 1) << "by phases";
    config.sides[0].values.time_factor.clear();
    config.type = ProblemType::diffusion;
    config.solver.method = SolverMethod::jacobi;
    EXPECT_EQ(plan_resident(config, whole_device).kernel, "jacobi_blocked_2d_varied");
    EXPECT_EQ(plan_resident(config, whole_device).group_size, 2 * 128);
    config.execution.precision = Precision::float32;
    EXPECT_EQ(plan_resident(config, whole_device).group_size, 4 * 128);
}

TEST(PlanPipelines, ExpectsMoreTimeForLargerGridsAndForJacobi) {
    std::vector<Config> heat{varied_heat(2048), varied_heat(4096), varied_heat(8192)};
    for (Config &config : heat) {
        config.execution.groups = whole_device.units;  // then the field does not stay on the chip
    }
    tests::expect_longer_steps(heat, whole_device);
    for (const Config &config : heat) {
        Config steady = config;
        steady.type = ProblemType::diffusion;
        steady.solver.method = SolverMethod::jacobi;
        EXPECT_GT(plan_resident(steady, whole_device).step_seconds,
                  plan_resident(config, whole_device).step_seconds)
            << "Jacobi reads the inverse of the diagonal too";
    }
}

}  // namespace
}  // namespace perdure::plan_pipelines_test
