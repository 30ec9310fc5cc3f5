// On-chip conjugate gradients without a GPU: the kernel text on emulated items (emulated_cuda.hpp).
#include <limits>
#include <tuple>

#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/sample_problems.hpp"
#include "tests/resident/emulated_cg_device.hpp"
#include "tests/resident/emulated_delays.hpp"

namespace perdure::tests {
namespace {

/// Sanitizers do not follow fibers.
class EmulatedResidentConjugateGradients : public testing::Test {
  protected:
    void SetUp() override {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
        GTEST_SKIP() << "sanitizers do not follow fibers";
#endif
    }
};

Case resident_case(const Problem &problem) {
    Case test_case{{}, problem};
    test_case.config.execution.model = ExecutionModel::resident;
    test_case.config.solver.rtol = 1.0e-11;
    return test_case;
}

Problem mixed_problem(const std::vector<std::int64_t> &shape, Coefficients coefficients) {
    return random_problem(shape, mixed_sides(static_cast<int>(shape.size())), coefficients, 3);
}

/// Runs a few iterations and expects the residual of the phases.
Solution follow_the_phases(Case test_case, Device &device) {
    Solution found = run(test_case, device);
    test_case.config.execution.model = ExecutionModel::persistent;
    const Report wanted = run(test_case, host_device()).report;
    const double rounding = test_case.config.execution.precision == Precision::float64 ? 1.0e-9 : 1.0e-3;
    EXPECT_EQ(found.report.stop, wanted.stop) << describe_case(test_case);
    EXPECT_EQ(found.report.iterations, wanted.iterations) << describe_case(test_case);
    EXPECT_NEAR(found.report.residual, wanted.residual, rounding * wanted.residual)
        << describe_case(test_case);
    return found;
}

TEST_F(EmulatedResidentConjugateGradients, AgreeWithTheReference) {
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{1, 7}, {13, 17}, {5, 6, 7}}) {
        int groups = 1;
        for (const Problem &problem : steady_problems(shape)) {
            const std::unique_ptr<Device> device = emulated_cg_device(1 + groups++ % 4);
            const reference::Answer expected = reference::solve_diffusion(problem.grid, problem.only_field());
            Case test_case = resident_case(problem);
            test_case.config.solver.norm = groups % 3 == 0 ? Norm::max : Norm::l2;
            test_case.config.solver.check_every = groups % 3 == 1 ? 1 : 10;
            const Solution found = run(test_case, *device);
            const FieldDifference difference = compare(found.fields.front().values, expected.values);
            EXPECT_EQ(difference.disagreeing_exclusions, 0) << describe_case(test_case);
            EXPECT_LT(difference.max_relative, 1.0e-8)
                << describe_case(test_case) << ", " << describe(found.report.stop);
            if (groups % 4 == 0) {
                EXPECT_TRUE(same_bits(found, run(test_case, *device))) << describe_case(test_case);
            }
        }
    }
}

// More cells than short columns hold: a few iterations give the residual of the phases.
TEST_F(EmulatedResidentConjugateGradients, LongColumnsFollowThePhases) {
    for (const std::vector<std::int64_t> &shape : std::vector<std::vector<std::int64_t>>{
             {100, 60}, {150, 63}, {300, 1}, {20, 13, 23}, {20, 15, 31}, {24, 15, 1}}) {
        for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
            for (const Precision precision : {Precision::float64, Precision::float32}) {
                Case test_case = resident_case(mixed_problem(shape, coefficients));
                test_case.config.execution.precision = precision;
                test_case.config.solver.max_iterations = 8;
                test_case.config.solver.check_every = 3;
                const Report found = follow_the_phases(test_case, *emulated_cg_device(1)).report;
                EXPECT_EQ(found.stop, StopReason::iteration_limit);
                EXPECT_EQ(found.iterations, 8);
            }
        }
    }
}

// The same in two groups. Their ghosts pass as plain values with flags or, in 2D with w kept, as messages. Delays do not change
// the bits.
TEST_F(EmulatedResidentConjugateGradients, LongColumnsKeepTheirBitsWhenGroupsAreDelayed) {
    constexpr int ample = 232448;
    for (const auto &[shape, scarce] : std::vector<std::pair<std::vector<std::int64_t>, int>>{
             {{300, 63}, 100000}, {{62, 15, 20}, 130000}}) {  // for w and x
        for (const auto &[precision, shared_bytes] : {std::pair{Precision::float64, ample},
                                                      {Precision::float32, ample},
                                                      {Precision::float32, scarce}}) {
            Case test_case = resident_case(mixed_problem(shape, Coefficients::uniform));
            test_case.config.execution.precision = precision;
            test_case.config.solver.max_iterations = 8;
            test_case.config.solver.check_every = 3;
            const std::unique_ptr<Device> device = emulated_cg_device(2, shared_bytes);
            const Solution expected = follow_the_phases(test_case, *device);
            emulated_delays = true;
            EXPECT_TRUE(same_bits(expected, run(test_case, *device))) << describe_case(test_case);
            emulated_delays = false;
        }
    }
}

// Boxes whose items all have the same number of cells have kernels of their own.
TEST_F(EmulatedResidentConjugateGradients, FullBoxesFollowThePhases) {
    constexpr int ample = 232448, scarce = 130000;  // for w and x
    for (const auto &[shape, groups, cells] : std::vector<std::tuple<std::vector<std::int64_t>, int, uint32>>{
             {{16, 16, 32}, 1, 16}, {{16, 32, 32}, 2, 16}, {{32, 16, 32}, 1, 64}, {{32, 16, 64}, 2, 64}}) {
        for (const auto &[precision, shared_bytes] : {std::pair{Precision::float64, ample},
                                                      {Precision::float32, ample},
                                                      {Precision::float32, scarce}}) {
            for (const bool around : {false, true}) {
                const Kinds sides = around ? all_sides(SideKind::periodic) : mixed_sides(3);
                Case test_case = resident_case(random_problem(shape, sides, Coefficients::uniform, 3));
                test_case.config.execution.precision = precision;
                test_case.config.solver.max_iterations = 8;
                test_case.config.solver.check_every = 3;
                const std::unique_ptr<Device> device = emulated_cg_device(groups, shared_bytes);
                const cg_plan_t plan = prepare(test_case, *device).plan.resident.cg;
                EXPECT_EQ(plan.full, 1U);
                EXPECT_EQ(plan.cells, cells);
                const Solution expected = follow_the_phases(test_case, *device);
                emulated_delays = true;
                EXPECT_TRUE(same_bits(expected, run(test_case, *device))) << describe_case(test_case);
                emulated_delays = false;
            }
        }
    }
}

// Short columns, with checks at other iterations than the ends of launches.
TEST_F(EmulatedResidentConjugateGradients, ShortColumnsFollowThePhases) {
    for (const std::vector<std::int64_t> &shape : std::vector<std::vector<std::int64_t>>{
             {50, 31}, {64, 32}, {31, 3}, {20, 100}, {11, 10, 13}, {7, 16, 17}, {5, 6, 40}}) {
        for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
            for (const Precision precision : {Precision::float64, Precision::float32}) {
                Case test_case = resident_case(mixed_problem(shape, coefficients));
                test_case.config.execution.precision = precision;
                test_case.config.solver.norm = shape[0] % 2 == 0 ? Norm::max : Norm::l2;
                test_case.config.solver.max_iterations = 12;
                test_case.config.solver.check_every = 5;
                follow_the_phases(test_case, *emulated_cg_device(2));
            }
        }
    }
}

// Groups that fall behind at different places: no group takes one message for another, and every message arrives.
TEST_F(EmulatedResidentConjugateGradients, KeepTheirBitsWhenGroupsAreDelayed) {
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{33, 31}, {9, 10, 11}}) {
        for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
            Case test_case = resident_case(mixed_problem(shape, coefficients));
            test_case.config.solver.check_every = 5;
            test_case.config.solver.max_iterations = 30;
            const std::unique_ptr<Device> device = emulated_cg_device(5);
            const Solution expected = run(test_case, *device);
            emulated_delays = true;
            for (int i = 0; i < 2; ++i) {
                EXPECT_TRUE(same_bits(expected, run(test_case, *device))) << describe_case(test_case);
            }
            emulated_delays = false;
        }
    }
}

// Iterations far beyond the rounding limit, without a check: the inverse of (p, A p) overflows in the end.
TEST_F(EmulatedResidentConjugateGradients, OutliveTheUnderflowOfTheirResidual) {
    Case test_case = resident_case(mixed_problem({12, 12}, Coefficients::uniform));
    test_case.config.solver.rtol = 0.0;
    test_case.config.solver.max_iterations = 3000;
    test_case.config.solver.check_every = 3000;
    const Solution found = run(test_case, *emulated_cg_device(2));
    EXPECT_EQ(found.report.stop, StopReason::accuracy_limit);
    EXPECT_GT(found.report.iterations, 1000);
    EXPECT_LT(
        compare(found.fields.front().values,
                reference::solve_diffusion(test_case.problem.grid, test_case.problem.only_field()).values)
            .max_relative,
        1.0e-10);
}

// All groups learn of a check two iterations late, when the residual may be above the tolerance again.
TEST_F(EmulatedResidentConjugateGradients, MeetTheToleranceTheyHearOfLate) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const std::int64_t every = 1 + static_cast<std::int64_t>(seed % 12);
        Case test_case = resident_case(random_problem(
            {8 + static_cast<std::int64_t>(seed % 5), 31 - static_cast<std::int64_t>(seed % 7)},
            mixed_sides(2), Coefficients::variable, seed));
        test_case.config.solver.rtol = 0.1;
        test_case.config.solver.check_every = every;
        test_case.config.solver.norm = seed % 3 == 0 ? Norm::l2 : Norm::max;
        const Report found = run(test_case, *emulated_cg_device(1 + static_cast<int>(seed % 3))).report;
        EXPECT_EQ(found.stop, StopReason::converged_rtol) << describe_case(test_case);
        EXPECT_LE(found.residual, found.tolerance) << describe_case(test_case);
        EXPECT_LE(found.iterations % every, 2) << describe_case(test_case);
    }
}

TEST_F(EmulatedResidentConjugateGradients, NameTheCellThatIsNotFinite) {
    Case test_case = resident_case(random_problem({13, 17}, mixed_sides(2), Coefficients::variable, 2));
    test_case.problem.only_field().f.values[37] = std::numeric_limits<double>::quiet_NaN();
    test_case.problem.only_field().f.values[52] = std::numeric_limits<double>::infinity();
    const Report report = run(test_case, *emulated_cg_device(3)).report;
    EXPECT_EQ(report.stop, StopReason::not_finite);
    EXPECT_EQ(report.bad_cell, 37);
}

TEST_F(EmulatedResidentConjugateGradients, RefuseWhatDoesNotFit) {
    const Case test_case =
        resident_case(random_problem({40, 40, 40}, mixed_sides(3), Coefficients::uniform, 2));
    EXPECT_THROW(run(test_case, *emulated_cg_device(2, 30000)), Failure);
}

}  // namespace
}  // namespace perdure::tests
