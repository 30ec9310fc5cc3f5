// What a cycle is worth: iterations, on host threads alone, since the bits are those of every back end.
#include <cmath>

#include "solver/reference/compare_fields.hpp"
#include "tests/kernels/multigrid_cases.hpp"

namespace perdure::tests::multigrid_iterations_test {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Sources uniform in [-1, 1] in a box whose sides all have value 0.
Problem poisson(const std::vector<std::int64_t> &shape) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid = box(shape);
    problem.only_field().a.values = {1.0};
    problem.only_field().sigma.values = {0.0};
    std::mt19937_64 random(3);
    problem.only_field().f = random_samples(problem.grid, -1.0, 1.0, random);
    for (int side = 0; side < 2 * problem.grid.dimensions; ++side) {
        problem.only_field().sides[side].kind = SideKind::value;
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

std::int64_t iterations(Case test_case) {
    test_case.config.execution.groups = 1;
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
            test_case.problem.only_field().sides[side].kind = SideKind::periodic;
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
             {{32, 32, 32}, 24}, {{256, 256}, 11}}) {
        Case test_case = with_multigrid(poisson(shape));
        test_case.config.solver.rtol = 1.0e-8;
        test_case.problem.only_field().a = balls(test_case.problem.grid, 60, 0.04, 0.12, 1000.0);
        EXPECT_LE(iterations(test_case), most) << describe_case(test_case);
    }
}

/// By what is left of P^T A P in the levels' conductances: without it 244 and 178 at contrasts of 10^6 and 10^-6.
TEST(MultigridIterations, AreFewAtAnyContrast) {
    using Counts = std::vector<std::pair<double, std::int64_t>>;
    const Counts in_2d{{1.0e-6, 22}, {1.0e-3, 17}, {1.0e3, 11}, {1.0e6, 14}};
    const Counts in_3d{{1.0e-6, 14}, {1.0e-3, 10}, {1.0e3, 20}, {1.0e6, 38}};
    for (const auto &[shape, counts] :
         {std::pair{std::vector<std::int64_t>{200, 200}, in_2d}, {{40, 40, 40}, in_3d}}) {
        for (const auto &[inside, most] : counts) {
            Case test_case = with_multigrid(poisson(shape));
            test_case.config.solver.rtol = 1.0e-8;
            test_case.config.solver.max_iterations = 400;
            test_case.problem.only_field().a = balls(test_case.problem.grid, 60, 0.04, 0.12, inside);
            EXPECT_LE(iterations(test_case), most) << describe_case(test_case) << inside;
        }
    }
}

/// Where coefficients jump far, few eigenvalues lie apart from the others, and conjugacy is lost to the rounding of z.
TEST(MultigridIterations, AreAtMostOneMoreWithCyclesInFloat32AndAFifthWhereCoefficientsJump) {
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{32, 32, 32}, {37, 41, 31}, {256, 256}, {3, 200}}) {
        for (const double inside : {1.0, 30.0, 1000.0}) {
            Case test_case = with_multigrid(poisson(shape));
            if (inside != 1.0) {
                test_case.problem.only_field().a = balls(test_case.problem.grid, 60, 0.04, 0.12, inside);
            }
            const std::int64_t double_precision = iterations(test_case);
            test_case.config.execution.precision = Precision::mixed;
            EXPECT_LE(iterations(test_case),
                      inside < 1000.0 ? double_precision + 1 : double_precision * 6 / 5 + 1)
                << describe_case(test_case) << inside;
        }
    }
}

TEST(MultigridIterations, AreThirteenAroundSolids) {
    Case test_case = with_multigrid(poisson({33, 32, 32}));
    Problem &problem = test_case.problem;
    test_case.config.solver.rtol = 1.0e-8;
    problem.only_field().a = balls(problem.grid, 160, 0.06, 0.12, 0.0);
    for (std::size_t i = 0; i < problem.only_field().f.values.size(); ++i) {
        problem.only_field().f.values[i] *= problem.only_field().a.values[i];
    }
    for (int side = 0; side < 4; ++side) {
        problem.only_field().sides[side].kind = SideKind::flux;
    }
    EXPECT_LE(iterations(test_case), 13);
}

TEST(MultigridIterations, DependOnCycleAndSmoother) {
    const Problem problem = poisson({32, 32, 32});
    for (const MultigridOptions &options : {
             MultigridOptions{SolverMethod::cg, {Cycle::v, Smoother::chebyshev, 1, false}, 14},
             MultigridOptions{SolverMethod::cg, {Cycle::v, Smoother::chebyshev, 3, false}, 8},
             MultigridOptions{SolverMethod::cg, {Cycle::v, Smoother::jacobi, 2, false}, 11},
             MultigridOptions{SolverMethod::cg, {Cycle::v, Smoother::red_black, 1, false}, 13},
             MultigridOptions{SolverMethod::cg, {Cycle::v, Smoother::red_black, 2, false}, 9},
             MultigridOptions{SolverMethod::multigrid, {Cycle::v, Smoother::chebyshev, 2, false}, 16},
             MultigridOptions{SolverMethod::multigrid, {Cycle::v, Smoother::chebyshev, 2, true}, 15},
             MultigridOptions{SolverMethod::multigrid, {Cycle::w, Smoother::chebyshev, 2, false}, 14},
             MultigridOptions{SolverMethod::multigrid, {Cycle::f, Smoother::chebyshev, 2, true}, 13},
             MultigridOptions{SolverMethod::multigrid, {Cycle::v, Smoother::jacobi, 2, false}, 20},
             MultigridOptions{SolverMethod::multigrid, {Cycle::v, Smoother::red_black, 2, true}, 13},
         }) {
        const Case test_case = with_options(problem, options);
        EXPECT_EQ(iterations(test_case), options.most)
            << name(options.method) << " " << name(options.multigrid.cycle) << " "
            << name(options.multigrid.smoother) << " " << options.multigrid.sweeps;
    }
}

/// One full multigrid cycle of F-cycles leaves an error within 1.1 of the discretisation's.
TEST(MultigridIterations, OneFullCycleReachesTheDiscretisationError) {
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{128, 128}, {32, 32, 32}}) {
        Problem problem = poisson(shape);
        const int dimensions = problem.grid.dimensions;
        const Samples exact = sample(problem.grid, [&](const Point &x) {
            double u = 1.0;
            for (int axis = 0; axis < dimensions; ++axis) {
                u *= std::sin(pi * x[axis]);
            }
            return u;
        });
        problem.only_field().f = exact;
        for (double &f : problem.only_field().f.values) {
            f *= dimensions * pi * pi;
        }
        const auto error = [&](Case test_case) {
            return compare(run(test_case, host_device()).fields.front().values, exact.values).l2;
        };
        Case one =
            with_options(problem, {SolverMethod::multigrid, {Cycle::f, Smoother::chebyshev, 2, true}, 0});
        one.config.solver.max_iterations = 1;
        EXPECT_LT(error(one), 1.1 * error(with_multigrid(problem))) << describe_case(one);
    }
}

TEST(MultigridMemory, IsPredicted) {
    Case test_case = with_multigrid(poisson({48, 48, 48}));
    for (const Precision precision : {Precision::float32, Precision::float64, Precision::mixed}) {
        test_case.config.execution.precision = precision;
        const auto predicted = static_cast<double>(prepare(test_case, host_device()).plan.least_bytes);
        const auto used = static_cast<double>(run(test_case, host_device()).report.device_bytes);
        EXPECT_LE(predicted, used);
        EXPECT_GT(predicted, 0.98 * used);
    }
}

}  // namespace
}  // namespace perdure::tests::multigrid_iterations_test
