// Why runs stop, and that what the report says of the answer is true of it.
#include <cmath>
#include <limits>

#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/sample_problems.hpp"
#include "tests/kernels/true_residual.hpp"

namespace perdure::tests::stop_reasons_test {
namespace {

void expect_true_residual(const Solution &solution, const Case &test_case) {
    const double expected =
        residual_norms(test_case.problem, solution.fields.front().values).of(test_case.config.solver.norm);
    EXPECT_NEAR(solution.report.residual, expected,
                10.0 * solution.report.accuracy_floor + 1.0e-15 * solution.report.tolerance)
        << describe_case(test_case);
}

/// A small problem with an initial guess that is not zero, in every method and norm.
std::vector<Case> steady_cases() {
    std::vector<Case> cases;
    for (const SolverMethod method :
         {SolverMethod::jacobi, SolverMethod::cg, SolverMethod::bicgstab, SolverMethod::chebyshev}) {
        for (const Norm norm : {Norm::l2, Norm::max}) {
            Case test_case;
            test_case.problem = random_problem({8, 9}, mixed_sides(2), Coefficients::variable, 21);
            test_case.config.solver.method = method;
            test_case.config.solver.norm = norm;
            cases.push_back(test_case);
        }
    }
    return cases;
}

class StopReasons : public OnEachBackEnd {};

TEST_P(StopReasons, ConvergedMeansTheTrueResidualAgainstTheRightHandSide) {
    for (Case &test_case : steady_cases()) {
        for (const std::unique_ptr<Device> &device : devices()) {
            test_case.config.solver.rtol = 1.0e-7;
            test_case.config.solver.atol = 0.0;
            const double b = right_hand_side_norms(test_case.problem).of(test_case.config.solver.norm);
            const Solution relative = run(test_case, *device);
            EXPECT_EQ(relative.report.stop, StopReason::converged_rtol) << describe_case(test_case);
            EXPECT_NEAR(relative.report.right_hand_side_norm, b, 1.0e-13 * b);
            EXPECT_NEAR(relative.report.tolerance, 1.0e-7 * b, 1.0e-20 * b);
            EXPECT_LE(relative.report.residual, relative.report.tolerance);
            EXPECT_EQ(relative.report.iterations % 10, 0);
            EXPECT_NEAR(relative.report.initial_residual,
                        residual_norms(test_case.problem, test_case.problem.only_field().initial.values)
                            .of(test_case.config.solver.norm),
                        1.0e-11 * b);
            expect_true_residual(relative, test_case);

            test_case.config.solver.atol = 1.0;
            const Solution absolute = run(test_case, *device);
            EXPECT_EQ(absolute.report.stop, StopReason::converged_atol) << describe_case(test_case);
            EXPECT_EQ(absolute.report.tolerance, 1.0);
            EXPECT_LE(absolute.report.residual, 1.0);
            EXPECT_LT(absolute.report.iterations, relative.report.iterations);
            expect_true_residual(absolute, test_case);
        }
    }
}

// The run stops at the first check whose residual is not above the tolerance: at that number itself, but not
// just below.
TEST_P(StopReasons, ThresholdsAreHonouredExactly) {
    for (Case &test_case : steady_cases()) {
        if (test_case.config.solver.method != SolverMethod::jacobi) {
            continue;
        }
        test_case.config.solver.rtol = 0.0;
        test_case.config.solver.check_every = 1;
        test_case.config.solver.max_iterations = 50;
        for (const std::unique_ptr<Device> &device : devices()) {
            test_case.config.solver.atol = 0.0;
            const Solution free = run(test_case, *device);
            ASSERT_EQ(free.report.history.size(), 51U);
            const double threshold = free.report.history[30].residual;
            ASSERT_LT(threshold, free.report.history[29].residual);
            test_case.config.solver.atol = threshold;
            EXPECT_EQ(run(test_case, *device).report.iterations, 30) << describe_case(test_case);
            test_case.config.solver.atol = std::nextafter(threshold, 0.0);
            EXPECT_EQ(run(test_case, *device).report.iterations, 31) << describe_case(test_case);
        }
    }
}

TEST_P(StopReasons, AnIterationLimitLeavesTheTrueResidualOfThatIterate) {
    for (Case &test_case : steady_cases()) {
        test_case.config.solver.max_iterations = 13;
        test_case.config.solver.rtol = 1.0e-14;
        for (const std::unique_ptr<Device> &device : devices()) {
            const Solution solution = run(test_case, *device);
            EXPECT_EQ(solution.report.stop, StopReason::iteration_limit) << describe_case(test_case);
            EXPECT_EQ(solution.report.iterations, 13);
            EXPECT_EQ(solution.report.history.back().iteration, 13);
            EXPECT_EQ(solution.report.history.back().residual, solution.report.residual);
            EXPECT_GT(solution.report.residual, solution.report.tolerance);
            expect_true_residual(solution, test_case);
        }
    }
}

TEST_P(StopReasons, AnAccuracyLimitIsNamedWithItsFloor) {
    for (Case &test_case : steady_cases()) {
        test_case.config.execution.precision = Precision::float32;
        test_case.config.solver.rtol = 1.0e-12;
        test_case.config.solver.max_iterations = 100000;
        for (const std::unique_ptr<Device> &device : devices()) {
            const Solution solution = run(test_case, *device);
            const Report &report = solution.report;
            EXPECT_EQ(report.stop, StopReason::accuracy_limit) << describe_case(test_case);
            EXPECT_LT(report.iterations, 20000);
            EXPECT_LE(report.residual, 10.0 * report.accuracy_floor);
            EXPECT_GE(report.residual, 0.001 * report.accuracy_floor);
            EXPECT_GT(report.residual, report.tolerance);
        }
    }
}

// Central differences far beyond cell Peclet number 2: eigenvalues along the imaginary axis.
TEST_P(StopReasons, AnIterationThatCannotGoOnIsNamed) {
    for (const Norm norm : {Norm::l2, Norm::max}) {
        Case test_case;
        test_case.problem = random_problem({8, 64}, all_sides(SideKind::value), Coefficients::uniform, 21);
        test_case.problem = with_velocity(test_case.problem, Convection::central, 1.0e6, 22);
        test_case.config.solver.method = SolverMethod::bicgstab;
        test_case.config.solver.norm = norm;
        for (const std::unique_ptr<Device> &device : devices()) {
            const Solution solution = run(test_case, *device);
            const StopReason stop = solution.report.stop;
            EXPECT_TRUE(stop == StopReason::breakdown || stop == StopReason::stagnated) << describe(stop);
            EXPECT_LT(solution.report.iterations, 5000);
            EXPECT_NEAR(solution.report.residual,
                        residual_norms(test_case.problem, solution.fields.front().values).of(norm),
                        1.0e-9 * solution.report.residual);
            test_case.problem.only_field().convection = Convection::upwind;
            EXPECT_EQ(run(test_case, *device).report.stop, StopReason::converged_rtol);
            test_case.problem.only_field().convection = Convection::central;
        }
    }
}

// Cosine bounds of the five-point operator make 390 iterations the best; without any bound it takes 1.25 of that.
TEST_P(StopReasons, ChebyshevFindsItsBound) {
    Case test_case;
    test_case.problem = random_problem({64, 64}, all_sides(SideKind::value), Coefficients::uniform, 23);
    test_case.config.solver.method = SolverMethod::chebyshev;
    for (const std::unique_ptr<Device> &device : devices()) {
        const Solution bound_unknown = run(test_case, *device);
        EXPECT_EQ(bound_unknown.report.stop, StopReason::converged_rtol);
        EXPECT_LE(bound_unknown.report.iterations, 490);
        Case reacting = test_case;
        reacting.problem.only_field().sigma.values = {1.0e5};
        EXPECT_LE(run(reacting, *device).report.iterations, 20);
    }
}

TEST_P(StopReasons, TooLargeAWeightDiverges) {
    Case test_case = steady_cases()[0];
    test_case.config.solver.weight = 1.9;
    for (const std::unique_ptr<Device> &device : devices()) {
        const Report report = run(test_case, *device).report;
        EXPECT_EQ(report.stop, StopReason::diverged);
        EXPECT_GT(report.residual, 1.0e8 * report.right_hand_side_norm);
        EXPECT_FALSE(report.bad_cell.has_value());
        ASSERT_GE(report.history.size(), 2U);
        EXPECT_LE(report.history[report.history.size() - 2].residual,
                  1.0e8 * std::max(report.right_hand_side_norm, report.initial_residual));
    }
}

TEST_P(StopReasons, ValuesThatAreNotFiniteAreNamedByTheirFirstCell) {
    for (Case &test_case : steady_cases()) {
        test_case.problem.only_field().f.values[37] = std::numeric_limits<double>::quiet_NaN();
        test_case.problem.only_field().f.values[52] = std::numeric_limits<double>::infinity();
        test_case.config.solver.max_iterations = 100;
        for (const std::unique_ptr<Device> &device : devices()) {
            const Report steady = run(test_case, *device).report;
            EXPECT_EQ(steady.stop, StopReason::not_finite) << describe_case(test_case);
            EXPECT_EQ(steady.bad_cell, 37) << describe_case(test_case);

            Case heat = test_case;
            heat.problem.only_field().in_time = true;
            heat.config.time = some_steps(heat.problem, 20.0);
            heat.config.solver.check_every = 1;
            const Report through_time = run(heat, *device).report;
            EXPECT_EQ(through_time.stop, StopReason::not_finite);
            EXPECT_EQ(through_time.bad_cell, 37);
            EXPECT_EQ(through_time.iterations, 1);
        }
    }
}

TEST_P(StopReasons, WithoutARightHandSideTheInitialResidualCounts) {
    for (Case &test_case : steady_cases()) {
        test_case.problem.only_field().f.values = {0.0};
        for (Side &side : test_case.problem.only_field().sides) {
            side.values.values = {0.0};
        }
        test_case.config.solver.rtol = 1.0e-6;
        const double initial =
            residual_norms(test_case.problem, test_case.problem.only_field().initial.values)
                .of(test_case.config.solver.norm);
        for (const std::unique_ptr<Device> &device : devices()) {
            const Solution solution = run(test_case, *device);
            EXPECT_EQ(solution.report.stop, StopReason::converged_rtol) << describe_case(test_case);
            EXPECT_EQ(solution.report.right_hand_side_norm, 0.0);
            EXPECT_NEAR(solution.report.initial_residual, initial, 1.0e-12 * initial);
            EXPECT_EQ(solution.report.tolerance, 1.0e-6 * solution.report.initial_residual);
            EXPECT_LE(solution.report.residual, solution.report.tolerance);
            EXPECT_GT(solution.report.iterations, 0);
            expect_true_residual(solution, test_case);
        }
    }
}

TEST_P(StopReasons, AnAnswerAsInitialGuessIsConvergedAtOnce) {
    for (Case &test_case : steady_cases()) {
        for (const std::unique_ptr<Device> &device : devices()) {
            test_case.config.solver.rtol = 1.0e-10;
            test_case.problem.only_field().initial.values =
                std::get<LargeVector<double>>(run(test_case, *device).fields.front().values);
            const Solution again = run(test_case, *device);
            EXPECT_EQ(again.report.stop, StopReason::converged_rtol);
            EXPECT_EQ(again.report.iterations, 0);
            EXPECT_EQ(std::get<LargeVector<double>>(again.fields.front().values),
                      test_case.problem.only_field().initial.values);
        }
    }
}

TEST_P(StopReasons, ARunWithoutLevelsKeepsTheMeanOfItsInitialField) {
    for (const SideKind kind : {SideKind::flux, SideKind::periodic}) {
        for (Case &test_case : steady_cases()) {
            Problem &problem = test_case.problem;
            problem = random_problem({8, 9}, all_sides(kind), Coefficients::variable, 31);
            problem.only_field().sigma.values = {0.0};
            for (std::int64_t y = 0; y < 8 && kind == SideKind::flux; ++y) {
                problem.only_field().a.values[problem.grid.index(4, y, 0)] =
                    0.0;  // a wall: two parts, each with its own mean
            }
            test_case.config.solver.rtol = 1.0e-11;
            const reference::Answer expected = reference::solve_diffusion(problem.grid, problem.only_field());
            for (const std::unique_ptr<Device> &device : devices()) {
                const Solution solution = run(test_case, *device);
                EXPECT_EQ(solution.report.stop, StopReason::converged_rtol) << describe_case(test_case);
                const FieldDifference difference = compare(solution.fields.front().values, expected.values);
                EXPECT_EQ(difference.disagreeing_exclusions, 0);
                EXPECT_LT(difference.max_relative, 1.0e-9) << describe_case(test_case);
                std::array<double, 2> drift{};
                for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
                    if (problem.only_field().a[i] > 0.0) {
                        const bool right = kind == SideKind::flux && i % 9 > 4;
                        drift[right ? 1 : 0] +=
                            value_at(solution.fields.front().values, i) - problem.only_field().initial[i];
                    }
                }
                EXPECT_NEAR(drift[0], 0.0, 1.0e-12);
                EXPECT_NEAR(drift[1], 0.0, 1.0e-12);
            }
        }
    }
}

PERDURE_ON_EACH_BACK_END(StopReasons);

}  // namespace
}  // namespace perdure::tests::stop_reasons_test
