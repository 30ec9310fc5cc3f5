// Streamed conjugate gradients without a GPU: the kernel text on emulated items (emulated_cuda.hpp), in one or two groups, with
// grids too large for their chips.
#include <cstdlib>
#include <limits>
#include <random>

#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/sample_problems.hpp"
#include "tests/resident/emulated_cg_device.hpp"
#include "tests/resident/emulated_delays.hpp"

namespace perdure::tests {
namespace {

/// Sanitizers do not follow fibers.
class EmulatedStreamedConjugateGradients : public testing::Test {
  protected:
    void SetUp() override {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
        GTEST_SKIP() << "sanitizers do not follow fibers";
#endif
    }

    static constexpr std::int64_t room = 165000;  // for the tiles, and no more
    static constexpr std::int64_t room_single = 87000;

    static std::unique_ptr<Device> small_device(int groups) {
        return emulated_cg_device(groups, room);
    }
    /// The case fixes the number of groups; otherwise phases would be expected to be faster.
    static Case streamed(const Problem &problem, int groups) {
        Case test_case{{}, problem};
        test_case.config.execution.model = ExecutionModel::resident;
        test_case.config.execution.groups = groups;
        test_case.config.solver.rtol = 1.0e-11;
        return test_case;
    }
    static Solution run_streamed(const Case &test_case, Device &device) {
        EXPECT_EQ(prepare(test_case, device).plan.resident.regime, ResidentRegime::through_memory)
            << describe_case(test_case);
        return run(test_case, device);
    }
    static Solution phases(Case test_case) {
        test_case.config.execution.model = ExecutionModel::persistent;
        return run(test_case, host_device());
    }
};

TEST_F(EmulatedStreamedConjugateGradients, AgreeWithTheReference) {
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{7, 133}, {3, 5, 150}}) {
        int turn = 0;
        for (const Problem &problem : steady_problems(shape)) {
            const int groups = 1 + turn++ / 2 % 2;
            const Case test_case = streamed(problem, groups);
            const std::unique_ptr<Device> device = small_device(groups);
            if (turn % static_cast<int>(shape.size()) != 1) {
                continue;  // emulation is slow
            }
            const Solution found = run_streamed(test_case, *device);
            const FieldDifference difference =
                compare(found.fields.front().values,
                        reference::solve_diffusion(problem.grid, problem.only_field()).values);
            EXPECT_EQ(difference.disagreeing_exclusions, 0) << describe_case(test_case);
            EXPECT_LT(difference.max_relative, 1.0e-8)
                << describe_case(test_case) << ", " << describe(found.report.stop);
        }
    }
}

// Prime and thin shapes, tiles that end inside the grid and beyond it, sweeps shorter than their rings, every kind of side.
TEST_F(EmulatedStreamedConjugateGradients, FollowThePhasesOnAnyShape) {
    std::mt19937_64 random(71);
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    const std::vector<std::vector<std::int64_t>> shapes{
        {1, 5003},    {2, 2301},    {3, 1600},    {3000, 1},    {2100, 2},    {97, 129},
        {49, 257},    {67, 171},    {1, 1, 3000}, {2, 3, 1700}, {3, 150, 61}, {1500, 3, 2},
        {2000, 1, 7}, {26, 27, 28}, {19, 29, 65}, {33, 24, 32}, {3, 29, 331}, {1, 161, 167}};
    const bool thorough = std::getenv("PERDURE_LONG_EMULATION") != nullptr;  // emulation is slow
    for (std::size_t i = 0; i < (thorough ? 2 : 1) * shapes.size(); i += thorough ? 1 : 2) {
        const std::vector<std::int64_t> &shape = shapes[i % shapes.size()];
        Kinds kinds{};
        for (int axis = 0; axis < 3; ++axis) {
            const bool periodic = below(3) == 0;
            for (const int side : {2 * axis, 2 * axis + 1}) {
                constexpr std::array<SideKind, 3> ends{SideKind::flux, SideKind::value, SideKind::exchange};
                kinds[side] = periodic ? SideKind::periodic : ends[below(3)];
            }
        }
        const auto coefficients = static_cast<Coefficients>((i / shapes.size() + i) % 2);
        const int groups = 1 + below(2);
        Case test_case = streamed(random_problem(shape, kinds, coefficients, random()), groups);
        test_case.config.solver.max_iterations = 3 + below(4);
        test_case.config.solver.check_every = 1 + below(5);
        test_case.config.solver.norm = below(2) == 0 ? Norm::l2 : Norm::max;
        test_case.config.solver.preconditioner =
            below(2) == 0 ? Preconditioner::jacobi : Preconditioner::none;
        const std::unique_ptr<Device> device = small_device(groups);
        const Solution found = run_streamed(test_case, *device);
        const Solution wanted = phases(test_case);
        EXPECT_EQ(found.report.stop, wanted.report.stop) << describe_case(test_case);
        EXPECT_EQ(found.report.iterations, wanted.report.iterations) << describe_case(test_case);
        EXPECT_NEAR(found.report.residual, wanted.report.residual, 1.0e-8 * wanted.report.residual)
            << describe_case(test_case);
        EXPECT_LT(
            compare(found.fields.front().values, std::get<LargeVector<double>>(wanted.fields.front().values))
                .max_relative,
            1.0e-9)
            << describe_case(test_case);
    }
}

TEST_F(EmulatedStreamedConjugateGradients, FollowThePhasesInSinglePrecision) {
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{61, 260}, {17, 33, 35}}) {
        for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
            Case test_case = streamed(
                random_problem(shape, mixed_sides(static_cast<int>(shape.size())), coefficients, 3), 2);
            test_case.config.execution.precision = Precision::float32;
            test_case.config.solver.max_iterations = 8;
            const Solution found = run_streamed(test_case, *emulated_cg_device(2, room_single));
            const Solution wanted = phases(test_case);
            EXPECT_NEAR(found.report.residual, wanted.report.residual, 1.0e-3 * wanted.report.residual)
                << describe_case(test_case);
        }
    }
}

TEST_F(EmulatedStreamedConjugateGradients, GiveTheSameBitsEveryTimeEvenDelayed) {
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{41, 133}, {26, 27, 28}}) {
        Case test_case = streamed(
            random_problem(shape, mixed_sides(static_cast<int>(shape.size())), Coefficients::variable, 3), 2);
        test_case.config.solver.check_every = 5;
        test_case.config.solver.max_iterations = 12;
        const std::unique_ptr<Device> device = small_device(2);
        const Solution expected = run_streamed(test_case, *device);
        EXPECT_TRUE(same_bits(expected, run(test_case, *device))) << describe_case(test_case);
        emulated_delays = true;
        EXPECT_TRUE(same_bits(expected, run(test_case, *device))) << describe_case(test_case);
        emulated_delays = false;
    }
}

TEST_F(EmulatedStreamedConjugateGradients, StopForTheSameReasons) {
    const Case sound = streamed(random_problem({23, 133}, mixed_sides(2), Coefficients::variable, 2), 2);
    const std::unique_ptr<Device> device = small_device(2);
    Case infinite = sound;
    infinite.problem.only_field().f.values[137] = std::numeric_limits<double>::quiet_NaN();
    infinite.problem.only_field().f.values[152] = std::numeric_limits<double>::infinity();
    const Report bad = run_streamed(infinite, *device).report;
    EXPECT_EQ(bad.stop, StopReason::not_finite);
    EXPECT_EQ(bad.bad_cell, 137);

    Case exact = sound;
    for (double &value : exact.problem.only_field().sigma.values) {
        value = 1.0e4;  // well conditioned: the limit comes soon
    }
    exact.config.solver.rtol = 1.0e-30;
    const StopReason best = run_streamed(exact, *device).report.stop;
    EXPECT_TRUE(best == StopReason::accuracy_limit || best == StopReason::stagnated) << describe(best);

    Case nothing = sound;
    nothing.config.solver.max_iterations = 1;
    EXPECT_EQ(run_streamed(nothing, *device).report.stop, StopReason::iteration_limit);
}

// Periodic everywhere and without sigma: b in the range of A, and b outside it.
TEST_F(EmulatedStreamedConjugateGradients, EndWithSingularProblems) {
    for (const bool solvable : {true, false}) {
        Problem problem = random_problem({41, 133}, all_sides(SideKind::periodic), Coefficients::uniform, 4);
        problem.only_field().sigma = {};
        double mean = 0.0;
        for (const double value : problem.only_field().f.values) {
            mean += value / static_cast<double>(problem.only_field().f.values.size());
        }
        for (double &value : problem.only_field().f.values) {
            value -= solvable ? mean : mean - 1.0;
        }
        Case test_case = streamed(problem, 2);
        test_case.config.solver.rtol = 1.0e-9;
        test_case.config.solver.max_iterations = 400;
        const Report found = run_streamed(test_case, *small_device(2)).report;
        const Report wanted = phases(test_case).report;
        EXPECT_EQ(found.stop == StopReason::converged_rtol, wanted.stop == StopReason::converged_rtol)
            << describe(found.stop) << ", phases " << describe(wanted.stop);
    }
}

}  // namespace
}  // namespace perdure::tests
