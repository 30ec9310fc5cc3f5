// Multigrid: what a cycle is worth, on every back end.
#include "solver/reference/multigrid.hpp"
#include <algorithm>

#include "solver/backends/host/host_device.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "solver/run/execution_models.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests {
namespace {

Case with_multigrid(const Problem &problem) {
    Case test_case;
    test_case.problem = problem;
    test_case.config.solver.preconditioner = Preconditioner::multigrid;
    test_case.config.solver.check_every = 1;
    test_case.config.solver.rtol = 1.0e-10;
    test_case.config.solver.max_iterations = 100;
    return test_case;
}

/// Sources uniform in [-1, 1] in a box whose sides all have value 0.
Problem poisson(const std::vector<std::int64_t> &shape) {
    Problem problem;
    problem.grid = box(shape);
    problem.a.values = {1.0};
    problem.sigma.values = {0.0};
    std::mt19937_64 random(3);
    problem.f = random_samples(problem.grid, -1.0, 1.0, random);
    for (int side = 0; side < 2 * problem.grid.dimensions; ++side) {
        problem.sides[side].kind = SideKind::value;
    }
    return problem;
}

/// Overlapping balls of another coefficient.
Samples balls(const Grid &grid, int count, double smallest, double largest, double inside) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> place(0.0, 1.0);
    std::uniform_real_distribution<double> radius(smallest, largest);
    std::vector<std::pair<Point, double>> all;
    for (int i = 0; i < count; ++i) {
        const Point centre{place(random), place(random), place(random)};
        all.emplace_back(centre, radius(random));
    }
    return sample(grid, [&](const Point &x) {
        for (const auto &[centre, r] : all) {
            double distance = 0.0;
            for (int axis = 0; axis < grid.dimensions; ++axis) {
                distance += (x[axis] - centre[axis]) * (x[axis] - centre[axis]);
            }
            if (distance < r * r) {
                return inside;
            }
        }
        return 1.0;
    });
}

std::int64_t iterations(const Case &test_case) {
    const Solution solution = run(test_case, host_device());
    EXPECT_EQ(solution.report.stop, StopReason::converged_rtol) << describe_case(test_case);
    return solution.report.iterations;
}

TEST(MultigridIterations, AreTenForConstantCoefficients) {
    using Shape = std::vector<std::int64_t>;
    for (const Shape &shape : {Shape{32, 32, 32}, Shape{48, 48, 48}, Shape{37, 41, 31}, Shape{4, 64, 64},
                               Shape{256, 256}, Shape{127, 63}, Shape{3, 200}, Shape{500, 1}}) {
        Case test_case = with_multigrid(poisson(shape));
        EXPECT_LE(iterations(test_case), 10) << describe_case(test_case);
        for (int side = 2; side < 2 * test_case.problem.grid.dimensions; ++side) {
            test_case.problem.sides[side].kind = SideKind::periodic;
        }
        EXPECT_LE(iterations(test_case), 10) << describe_case(test_case);
    }
}

TEST(MultigridIterations, AreElevenWhereSpacingsDiffer) {
    for (const double spacing : {0.03, 0.5, 1.4, 1.8, 7.0}) {
        Case test_case = with_multigrid(poisson({24, 32, 32}));
        test_case.problem.grid.spacing[1] *= spacing;
        EXPECT_LE(iterations(test_case), 11) << spacing;
    }
}

TEST(MultigridIterations, AreFewWhereCoefficientsJumpAThousandfold) {
    for (const auto &[shape, most] : std::vector<std::pair<std::vector<std::int64_t>, std::int64_t>>{
             {{32, 32, 32}, 33}, {{48, 48, 48}, 26}, {{256, 256}, 16}}) {
        Case test_case = with_multigrid(poisson(shape));
        test_case.config.solver.rtol = 1.0e-8;
        test_case.problem.a = balls(test_case.problem.grid, 60, 0.04, 0.12, 1000.0);
        EXPECT_LE(iterations(test_case), most) << describe_case(test_case);
    }
}

TEST(MultigridIterations, AreThirteenAroundSolids) {
    Case test_case = with_multigrid(poisson({33, 32, 32}));
    Problem &problem = test_case.problem;
    test_case.config.solver.rtol = 1.0e-8;
    problem.a = balls(problem.grid, 160, 0.06, 0.12, 0.0);
    for (std::size_t i = 0; i < problem.f.values.size(); ++i) {
        problem.f.values[i] *= problem.a.values[i];
    }
    for (int side = 0; side < 4; ++side) {
        problem.sides[side].kind = SideKind::flux;
    }
    EXPECT_LE(iterations(test_case), 13);
}

/// Every kind of side, uniform and variable coefficients and a microstructure, on shapes that are odd, prime and thin.
std::vector<Problem> problems() {
    std::vector<Problem> all;
    for (const std::vector<std::int64_t> &shape : std::vector<std::vector<std::int64_t>>{
             {1, 1}, {1, 37}, {13, 17}, {31, 1, 3}, {7, 11, 13}, {50, 61}}) {
        for (const Problem &problem : steady_problems(shape)) {
            all.push_back(problem);
        }
    }
    Problem floating = random_problem({14, 9, 7}, all_sides(SideKind::flux), Coefficients::variable, 21);
    floating.sigma.values = {0.0};
    double mean = 0.0;
    for (Side &side : floating.sides) {
        side.values.values = {0.0};
    }
    for (const double f : floating.f.values) {
        mean += f / static_cast<double>(floating.f.values.size());
    }
    for (double &f : floating.f.values) {
        f -= mean;
    }
    all.push_back(floating);
    return all;
}

class Multigrid : public OnEachBackEnd {};

TEST_P(Multigrid, GoesStepForStepWithItsTwin) {
    for (const Problem &problem : problems()) {
        Case test_case = with_multigrid(problem);
        test_case.config.solver.rtol = 1.0e-14;
        for (const std::int64_t most : {1, 4}) {
            test_case.config.solver.max_iterations = most;
            for (const std::unique_ptr<Device> &device : devices()) {
                const Solution found = run(test_case, *device);
                const auto expected =
                    reference::iterate_cg_multigrid(problem, static_cast<int>(found.report.iterations));
                const FieldDifference difference = compare(found.u, expected.u);
                const std::string what = device->description().name + ": " + describe_case(test_case);
                EXPECT_EQ(difference.disagreeing_exclusions, 0) << what;
                EXPECT_LT(difference.max_relative, 1.0e-11) << what;
                EXPECT_NEAR(found.report.residual, expected.residuals.back(),
                            1.0e-10 * expected.residuals.front())
                    << what;
            }
        }
    }
}

TEST_P(Multigrid, FindsTheAnswerInBothPrecisions) {
    for (const Problem &problem : problems()) {
        const reference::Answer expected = reference::solve_diffusion(problem);
        for (const Precision precision : {Precision::float32, Precision::float64}) {
            const bool single = precision == Precision::float32;
            Case test_case = with_multigrid(problem);
            test_case.config.execution.precision = precision;
            test_case.config.solver.rtol = single ? 1.0e-6 : 1.0e-12;
            for (const std::unique_ptr<Device> &device : devices()) {
                const Solution found = run(test_case, *device);
                EXPECT_LT(compare(found.u, expected.u).l2_relative, single ? 1.0e-3 : 1.0e-8)
                    << device->description().name << ": " << describe_case(test_case) << ", "
                    << describe(found.report.stop);
            }
        }
    }
}

TEST_P(Multigrid, HasTheSameBitsHoweverItIsLaunched) {
    for (const Norm norm : {Norm::l2, Norm::max}) {
        for (const std::vector<std::int64_t> &shape :
             std::vector<std::vector<std::int64_t>>{{53, 61}, {15, 16, 17}}) {
            Case test_case = with_multigrid(random_problem(shape, mixed_sides(static_cast<int>(shape.size())),
                                                           Coefficients::microstructure, 11));
            test_case.config.solver.norm = norm;
            for (const std::unique_ptr<Device> &device : devices()) {
                test_case.config.execution.model = ExecutionModel::persistent;
                test_case.config.execution.groups = 1;
                const int most =
                    device->most_groups("cg_multigrid", Precision::float64, device->default_group_size());
                const Solution expected = run(test_case, *device);
                for (const ExecutionModel model : execution_models) {
                    if (model == ExecutionModel::resident || !model_missing(*device, model).empty()) {
                        continue;
                    }
                    test_case.config.execution.model = model;
                    for (const int groups : {1, 2, 5}) {
                        test_case.config.execution.groups = std::min(groups, most);
                        EXPECT_TRUE(same_bits(run(test_case, *device), expected))
                            << device->description().name << ": " << describe_case(test_case);
                    }
                }
            }
        }
    }
}

PERDURE_ON_EACH_BACK_END(Multigrid);

TEST(MultigridInAnyOrder, HasTheSameBits) {
    Case test_case =
        with_multigrid(random_problem({53, 61}, mixed_sides(2), Coefficients::microstructure, 11));
    test_case.config.execution.groups = 1;
    const Solution expected = run(test_case, host_device());
    test_case.config.execution.model = ExecutionModel::launches;
    test_case.config.execution.groups = 6;
    for (const std::uint64_t seed : {1U, 20U, 300U}) {
        const auto device = host::shuffled_device(seed);
        EXPECT_TRUE(same_bits(run(test_case, *device), expected)) << "seed " << seed;
    }
}

}  // namespace
}  // namespace perdure::tests
