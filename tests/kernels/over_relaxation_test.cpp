// sor: agrees with the reference, the same bits however it is run, and Young's factor makes it fast.
#include "solver/run/over_relaxation.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "solver/run/execution_models.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::over_relaxation_test {
namespace {

Case sor_of(const Problem &problem) {
    Case test_case{{}, problem};
    test_case.config.solver.method = SolverMethod::sor;
    return test_case;
}

const std::vector<std::vector<std::int64_t>> even_shapes{{1, 1}, {1, 6}, {12, 16}, {2, 2}, {4, 6, 8}};

class OverRelaxation : public OnEachBackEnd {};

TEST_P(OverRelaxation, AgreesWithTheReference) {
    for (const auto &shape : even_shapes) {
        for (const Problem &problem : steady_problems(shape)) {
            for (const bool convective : {false, true}) {
                Case test_case =
                    sor_of(convective ? with_velocity(problem, Convection::upwind, 15.0, 41) : problem);
                if (convective) {
                    test_case.problem.only_field().sigma.values = {20.0};  // Gauss-Seidel is slow without
                }
                test_case.config.solver.rtol = 1.0e-11;
                test_case.config.solver.check_every = 20;
                test_case.config.execution.groups = 1;
                const reference::Answer expected =
                    reference::solve_diffusion(test_case.problem.grid, test_case.problem.only_field());
                for (const std::unique_ptr<Device> &device : devices()) {
                    const Solution found = run(test_case, *device);
                    const FieldDifference difference = compare(found.fields.front().values, expected.values);
                    EXPECT_EQ(difference.disagreeing_exclusions, 0) << describe_case(test_case);
                    EXPECT_LT(difference.l2_relative, 1.0e-8)
                        << describe_case(test_case) << ": " << describe(found.report.stop);
                }
            }
        }
    }
}

TEST_P(OverRelaxation, HasTheSameBitsInEveryModelAndNumberOfGroupsAndOnTheHost) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        for (const Norm norm : {Norm::l2, Norm::max}) {
            Case test_case = sor_of(random_problem({52, 62}, mixed_sides(2), Coefficients::variable, 42));
            test_case.config.execution.precision = precision;
            test_case.config.solver.norm = norm;
            test_case.config.solver.rtol = 1.0e-5;
            test_case.config.solver.max_iterations = 45;
            test_case.config.solver.check_every = 10;
            for (const std::unique_ptr<Device> &device : devices()) {
                test_case.config.execution.model = ExecutionModel::persistent;
                test_case.config.execution.groups = 1;
                const Solution expected = run(test_case, *device);
                EXPECT_EQ(expected.report.stop, StopReason::iteration_limit);
                EXPECT_EQ(expected.report.iterations, 45);
                EXPECT_EQ(expected.report.history.size(), 6U);
                test_case.config.execution.groups = 2;
                EXPECT_TRUE(same_bits(run(test_case, *device), expected)) << describe_case(test_case);
                for (const ExecutionModel model : execution_models) {
                    if (model_missing(device->description(), model).empty()) {
                        test_case.config.execution.model = model;
                        EXPECT_TRUE(same_bits(run(test_case, *device), expected)) << describe_case(test_case);
                    }
                }
                if (precision == Precision::float64) {
                    test_case.config.execution.model = ExecutionModel::persistent;
                    EXPECT_TRUE(same_bits(run(test_case, host_device()), expected))
                        << describe_case(test_case);
                }
            }
        }
    }
}

// Young: about n / pi iterations for each factor e, where Gauss-Seidel needs n^2 / pi^2.
TEST_P(OverRelaxation, IsFastWithYoungsFactor) {
    Case test_case = sor_of(random_problem({64, 64}, all_sides(SideKind::value), Coefficients::uniform, 43));
    EXPECT_NEAR(over_relaxation(test_case.problem.grid, test_case.problem.only_field()),
                2.0 / (1.0 + std::sin(3.14159265358979 / 64)), 1.0e-12);
    for (const std::unique_ptr<Device> &device : devices()) {
        const Report report = run(test_case, *device).report;
        EXPECT_EQ(report.stop, StopReason::converged_rtol);
        EXPECT_LT(report.iterations, 300);
    }
}

PERDURE_ON_EACH_BACK_END(OverRelaxation);

TEST(YoungsFactor, IsOneWithAVelocityAndBetweenOneAndTwo) {
    Problem problem = random_problem({8, 8}, all_sides(SideKind::flux), Coefficients::uniform, 44);
    EXPECT_GT(over_relaxation(problem.grid, problem.only_field()), 1.0);
    EXPECT_LT(over_relaxation(problem.grid, problem.only_field()), 2.0);
    problem.only_field().sigma.values = {0.0};
    EXPECT_EQ(over_relaxation(problem.grid, problem.only_field()), 1.5);
    problem = with_velocity(problem, Convection::upwind, 1.0, 1);
    EXPECT_EQ(over_relaxation(problem.grid, problem.only_field()), 1.0);
}

}  // namespace
}  // namespace perdure::tests::over_relaxation_test
