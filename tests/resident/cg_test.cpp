// Resident conjugate gradients: they find the field of the reference implementation, meet the tolerance of the phases, and give
// the same bits every time.
#include <algorithm>
#include <limits>
#include <random>

#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::cg_test {
namespace {

class ResidentConjugateGradients : public testing::Test {
  protected:
    void SetUp() override {
        if (devices().empty()) {
            GTEST_SKIP() << usable_devices(BackendChoice::cuda).why_none;
        }
    }
    static std::vector<std::unique_ptr<Device>> &devices() {
        return usable_devices(BackendChoice::cuda).devices;
    }

    static Solution resident(Case test_case, Device &device) {
        test_case.config.execution.model = ExecutionModel::resident;
        return run(test_case, device);
    }
    static Solution phases(Case test_case, Device &device) {
        test_case.config.execution.model = ExecutionModel::persistent;
        return run(test_case, device);
    }

    /// Draws any sides and coefficients on a grid of at most `most` cells along each axis.
    static Case draw(std::mt19937_64 &random, int dimensions, int most) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        std::vector<std::int64_t> shape;
        for (int axis = 0; axis < dimensions; ++axis) {
            shape.push_back(1 + below(below(4) == 0 ? 4 : most));
        }
        Kinds kinds{};
        for (int axis = 0; axis < 3; ++axis) {
            const bool periodic = below(4) == 0;
            for (const int side : {2 * axis, 2 * axis + 1}) {
                constexpr std::array<SideKind, 3> ends{SideKind::flux, SideKind::value, SideKind::exchange};
                kinds[side] = periodic ? SideKind::periodic : ends[below(3)];
            }
        }
        const auto coefficients = static_cast<Coefficients>(below(3));
        if (coefficients == Coefficients::microstructure) {
            kinds[0] = kinds[1] = SideKind::value;
        }
        Case drawn;
        drawn.problem = random_problem(shape, kinds, coefficients, random());
        drawn.config.solver.max_iterations = 20000;
        drawn.config.solver.check_every = 1 + below(20);
        drawn.config.solver.norm = below(2) == 0 ? Norm::l2 : Norm::max;
        drawn.config.solver.preconditioner = below(2) == 0 ? Preconditioner::jacobi : Preconditioner::none;
        return drawn;
    }

    /// Expects convergence in about as many iterations as by phases, for the same reason.
    static void expect_tolerance_met(const std::vector<std::vector<std::int64_t>> &shapes, double rtol,
                                     int groups = 0) {
        for (const std::vector<std::int64_t> &shape : shapes) {
            for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
                Case test_case;
                test_case.problem =
                    random_problem(shape, mixed_sides(static_cast<int>(shape.size())), coefficients, 9);
                test_case.config.solver.max_iterations = 20000;
                test_case.config.execution.groups = groups;
                for (const Precision precision : {Precision::float64, Precision::float32}) {
                    test_case.config.execution.precision = precision;
                    test_case.config.solver.rtol = precision == Precision::float32 ? 1.0e-3 : rtol;
                    for (const std::unique_ptr<Device> &device : devices()) {
                        const Report wanted = phases(test_case, *device).report;
                        const Solution found = resident(test_case, *device);
                        EXPECT_EQ(found.report.stop, wanted.stop) << what(test_case, found);
                        EXPECT_LE(found.report.residual, found.report.tolerance) << what(test_case, found);
                        EXPECT_NEAR(static_cast<double>(found.report.iterations),
                                    static_cast<double>(wanted.iterations),
                                    0.25 * static_cast<double>(wanted.iterations) + 20.0)
                            << what(test_case, found);
                    }
                }
            }
        }
    }

    /// Expects the residual and the field of the phases after the few iterations that the case allows, in float64. Returns the
    /// field of the phases.
    static std::vector<double> expect_steps_of_the_phases(const Case &test_case, Device &device) {
        const Solution found = resident(test_case, device);
        const Solution wanted = phases(test_case, device);
        EXPECT_EQ(found.report.stop, wanted.report.stop) << what(test_case, found);
        EXPECT_EQ(found.report.iterations, wanted.report.iterations) << what(test_case, found);
        EXPECT_NEAR(found.report.residual, wanted.report.residual,
                    1.0e-7 * wanted.report.residual + wanted.report.tolerance)
            << what(test_case, found);
        const auto &expected = std::get<LargeVector<double>>(wanted.fields.front().values);
        EXPECT_LT(compare(found.fields.front().values, expected).max_relative, 1.0e-8)
            << what(test_case, found);
        return {expected.begin(), expected.end()};
    }

    static std::string what(const Case &test_case, const Solution &found) {
        return describe_case(test_case) + ", " + describe(found.report.stop);
    }
};

TEST_F(ResidentConjugateGradients, AgreeWithTheReference) {
    std::mt19937_64 random(61);
    for (int i = 0; i < 60; ++i) {
        Case drawn = draw(random, 2 + i % 2, i % 2 == 0 ? 60 : 16);
        drawn.config.solver.rtol = 1.0e-12;
        const reference::Answer expected =
            reference::solve_diffusion(drawn.problem.grid, drawn.problem.only_field());
        for (const std::unique_ptr<Device> &device : devices()) {
            const Solution found = resident(drawn, *device);
            const FieldDifference difference = compare(found.fields.front().values, expected.values);
            EXPECT_EQ(difference.disagreeing_exclusions, 0) << what(drawn, found);
            EXPECT_LT(difference.l2_relative, 1.0e-8) << what(drawn, found);
            EXPECT_LT(difference.max_relative, 1.0e-8) << what(drawn, found);
        }
    }
}

// On all multiprocessors, and in full boxes.
TEST_F(ResidentConjugateGradients, MeetTheToleranceOfThePhasesInAboutAsManyIterations) {
    expect_tolerance_met({{130, 127}, {333, 250}, {61, 67, 59}}, 1.0e-8);
}

TEST_F(ResidentConjugateGradients, MeetTheToleranceOfThePhasesInBoxes) {
    expect_tolerance_met({{128, 100, 128}, {96, 96, 96}, {128, 128, 128}}, 1.0e-8);
}

TEST_F(ResidentConjugateGradients, StreamedMeetTheToleranceOfThePhasesInAboutAsManyIterations) {
    expect_tolerance_met({{47, 67, 51}, {311, 402}}, 1.0e-6, 3);
}

// A wrong cell shows in the first steps, before it is averaged out. This also allows grids whose solution would take thousands of
// steps.
TEST_F(ResidentConjugateGradients, TakeTheStepsOfThePhasesOnLargeGrids) {
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{500, 333}, {1000, 1100}, {2101, 2203}}) {
        for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
            Case test_case;
            test_case.problem = random_problem(shape, mixed_sides(2), coefficients, 9);
            test_case.config.solver.max_iterations = 11;
            test_case.config.solver.check_every = 4;
            for (const std::unique_ptr<Device> &device : devices()) {
                test_case.config.execution.precision = Precision::float64;
                const std::vector<double> expected = expect_steps_of_the_phases(test_case, *device);
                test_case.config.execution.precision = Precision::float32;
                const Solution found = resident(test_case, *device);
                EXPECT_LT(compare(found.fields.front().values, expected).max_relative, 1.0e-3)
                    << what(test_case, found);
                EXPECT_TRUE(same_bits(found, resident(test_case, *device))) << what(test_case, found);
            }
        }
    }
}

TEST_F(ResidentConjugateGradients, GiveTheSameBitsEveryTime) {
    std::mt19937_64 random(62);
    for (int i = 0; i < 12; ++i) {
        Case drawn = draw(random, 2 + i % 2, i % 2 == 0 ? 500 : 50);
        drawn.config.execution.precision = i % 3 == 0 ? Precision::float32 : Precision::float64;
        drawn.config.solver.max_iterations = 300;
        for (const std::unique_ptr<Device> &device : devices()) {
            const Solution once = resident(drawn, *device);
            for (int again = 0; again < 3; ++again) {
                ASSERT_TRUE(same_bits(once, resident(drawn, *device))) << what(drawn, once);
            }
        }
    }
}

TEST_F(ResidentConjugateGradients, StopForTheSameReasons) {
    Case test_case;
    test_case.problem = random_problem({97, 89}, mixed_sides(2), Coefficients::variable, 2);
    test_case.config.solver.rtol = 1.0e-10;
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const std::int64_t limit : {1, 7, 40}) {
            Case limited = test_case;
            limited.config.solver.max_iterations = limit;
            const Report report = resident(limited, *device).report;
            EXPECT_EQ(report.stop, StopReason::iteration_limit);
            EXPECT_EQ(report.iterations, limit);
            EXPECT_EQ(report.launches, 1);
        }
        Case exact = test_case;
        exact.config.solver.rtol = 1.0e-30;
        exact.config.solver.max_iterations = 20000;
        const StopReason best = resident(exact, *device).report.stop;
        EXPECT_TRUE(best == StopReason::accuracy_limit || best == StopReason::stagnated) << describe(best);
        Case infinite = test_case;
        infinite.problem.only_field().f.values[137] = std::numeric_limits<double>::quiet_NaN();
        infinite.problem.only_field().f.values[152] = std::numeric_limits<double>::infinity();
        const Report report = resident(infinite, *device).report;
        EXPECT_EQ(report.stop, StopReason::not_finite);
        EXPECT_EQ(report.bad_cell, 137);
    }
}

// Small grids, for fewer groups than would have room for them on the chip.
TEST_F(ResidentConjugateGradients, StreamedTakeTheStepsOfThePhasesOnAnyShape) {
    std::mt19937_64 random(63);
    int temporally_blocked = 0;
    for (int i = 0; temporally_blocked < 30; ++i) {
        Case drawn = draw(random, 2 + i % 2, i % 2 == 0 ? 400 : 55);
        const auto &cells = drawn.problem.grid.cells;
        drawn.config.execution.groups = 1 + i % 3;
        if (cells[0] * cells[1] * cells[2] <= drawn.config.execution.groups * RESIDENT_ITEMS * 32) {
            continue;  // may fit on the chip
        }
        ++temporally_blocked;
        drawn.config.solver.max_iterations = 3 + i % 10;
        for (const std::unique_ptr<Device> &device : devices()) {
            static_cast<void>(expect_steps_of_the_phases(drawn, *device));
        }
    }
}

// Grids small enough for compute-sanitizer, whose tiles touch all sides and each other.
TEST_F(ResidentConjugateGradients, StreamedGiveTheSameBitsEveryTime) {
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{31, 2111}, {19, 41, 71}}) {
        for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
            Case test_case;
            test_case.problem =
                random_problem(shape, mixed_sides(static_cast<int>(shape.size())), coefficients, 9);
            test_case.config.execution.groups = 3;
            test_case.config.solver.max_iterations = 12;
            test_case.config.solver.check_every = 5;
            for (const std::unique_ptr<Device> &device : devices()) {
                test_case.config.execution.model = ExecutionModel::resident;
                EXPECT_EQ(prepare(test_case, *device).plan.resident.regime, ResidentRegime::through_memory);
                const Solution once = run(test_case, *device);
                EXPECT_TRUE(same_bits(once, run(test_case, *device))) << what(test_case, once);
            }
        }
    }
}

TEST_F(ResidentConjugateGradients, StreamedStopForTheSameReasons) {
    Case test_case;
    test_case.problem = random_problem({47, 409}, mixed_sides(2), Coefficients::variable, 2);
    test_case.config.execution.groups = 1;
    for (const std::unique_ptr<Device> &device : devices()) {
        Case exact = test_case;
        exact.config.solver.rtol = 1.0e-30;
        exact.config.solver.max_iterations = 20000;
        const StopReason best = resident(exact, *device).report.stop;
        EXPECT_TRUE(best == StopReason::accuracy_limit || best == StopReason::stagnated) << describe(best);
        Case infinite = test_case;
        infinite.problem.only_field().f.values[137] = std::numeric_limits<double>::quiet_NaN();
        infinite.problem.only_field().f.values[152] = std::numeric_limits<double>::infinity();
        const Report report = resident(infinite, *device).report;
        EXPECT_EQ(report.stop, StopReason::not_finite);
        EXPECT_EQ(report.bad_cell, 137);
    }
}

TEST_F(ResidentConjugateGradients, AreRefusedWhereThePhasesTakeLess) {
    Case test_case;
    test_case.problem = random_problem({1500000, 1}, mixed_sides(2), Coefficients::uniform, 2);
    for (const std::unique_ptr<Device> &device : devices()) {
        EXPECT_THROW(resident(test_case, *device), Failure);
    }
}

}  // namespace
}  // namespace perdure::tests::cg_test
