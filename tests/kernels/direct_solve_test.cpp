// Levels solved by transforms: the answer, in one or two iterations, for every shape and kind of side.
#include <algorithm>

#include "solver/backends/host/host_device.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/multigrid_cases.hpp"

namespace perdure::tests::direct_solve_test {
namespace {

using Shape = std::vector<std::int64_t>;

/// Sides of every kind, some opposite ones periodic.
Kinds random_kinds(int dimensions, std::mt19937_64 &random) {
    constexpr std::array kinds{SideKind::value, SideKind::flux, SideKind::exchange};
    Kinds sides = all_sides(SideKind::value);
    for (int axis = 0; axis < dimensions; ++axis) {
        const bool periodic = random() % 4 == 0;
        for (int side = 2 * axis; side < 2 * axis + 2; ++side) {
            sides[side] = periodic ? SideKind::periodic : kinds[random() % kinds.size()];
        }
    }
    return sides;
}

Problem uniform_problem(const Shape &shape, unsigned seed) {
    std::mt19937_64 random(seed);
    Problem problem = random_problem(shape, random_kinds(static_cast<int>(shape.size()), random),
                                     Coefficients::uniform, seed);
    for (Side &side : problem.only_field().sides) {
        side.coefficient.values = {2.5};
    }
    return problem;
}

Case direct(const Problem &problem, int level) {
    Case test_case = with_multigrid(problem);
    test_case.config.solver.multigrid.direct_level = level;
    return test_case;
}

class DirectSolve : public OnEachBackEnd {};

TEST_P(DirectSolve, FindsTheAnswerInOneIterationOrTwo) {
    unsigned seed = 1;
    for (const Shape &shape : {Shape{1, 1},
                               {1, 37},
                               {13, 17},
                               {64, 48},
                               {34, 100},
                               {130, 18},
                               {31, 1, 3},
                               {7, 11, 13},
                               {16, 32, 20},
                               {40, 6, 34},
                               {33, 64, 2}}) {
        const Problem problem = uniform_problem(shape, ++seed);
        const reference::Answer expected = reference::solve_diffusion(problem.grid, problem.only_field());
        for (const Precision precision : {Precision::float64, Precision::float32, Precision::mixed}) {
            const bool single = precision == Precision::float32;
            Case test_case = direct(problem, 0);
            test_case.config.execution.precision = precision;
            test_case.config.solver.rtol = single ? 1.0e-5 : 1.0e-10;
            for (const std::unique_ptr<Device> &device : devices()) {
                const Solution found = run(test_case, *device);
                const std::string what = device->description().name + ": " + describe_case(test_case);
                EXPECT_EQ(found.report.stop, StopReason::converged_rtol) << what;
                EXPECT_LE(found.report.iterations, precision == Precision::float64 ? 2 : 3) << what;
                EXPECT_LT(compare(found.fields.front().values, expected.values).l2_relative,
                          single ? 1.0e-3 : 1.0e-8)
                    << what;
            }
        }
    }
}

/// Sides of which every axis has fast transforms, of the kind that `number` says.
Kinds sides_of_lines(int dimensions, std::uint64_t number) {
    Kinds sides = all_sides(SideKind::value);
    for (int axis = 0; axis < dimensions; ++axis, number /= 5) {
        const auto kind = number % 5;
        sides[2 * axis] = kind == 4 ? SideKind::periodic : kind % 2 == 0 ? SideKind::value : SideKind::flux;
        sides[2 * axis + 1] = kind == 4 ? SideKind::periodic : kind < 2 ? SideKind::value : SideKind::flux;
    }
    return sides;
}

TEST_P(DirectSolve, TransformsLinesOfEveryKindAndLength) {
    unsigned seed = 1;
    for (const auto &[shape, kinds] : {std::pair{Shape{32, 40}, std::vector{0, 7, 13, 19, 24}},
                                       {{60, 36}, {1, 8, 10, 17}},
                                       {{8, 300}, {2, 9, 11, 22}},
                                       {{128, 4}, {3, 5, 14, 20}},
                                       {{10, 48}, {4, 6, 12}},
                                       {{384, 4}, {0, 20}},
                                       {{8, 640}, {5, 15}},
                                       {{16, 20, 24}, {0, 31, 67, 93, 123}},
                                       {{64, 12, 8}, {44, 58, 101}},
                                       {{6, 32, 40}, {19, 75, 112}}}) {
        for (const int kind : kinds) {
            for (const double sigma : {0.0, 0.75}) {
                Problem problem = random_problem(shape, sides_of_lines(static_cast<int>(shape.size()), kind),
                                                 Coefficients::uniform, ++seed);
                problem.only_field().sigma.values = {sigma};
                if (sigma == 0.0) {
                    problem.only_field().initial.values = {0.0};  // b stands for the first residual
                }
                const reference::Answer expected =
                    reference::solve_diffusion(problem.grid, problem.only_field());
                for (const Precision precision : {Precision::float64, Precision::float32}) {
                    const bool single = precision == Precision::float32;
                    Case test_case = direct(problem, 0);
                    test_case.config.execution.precision = precision;
                    test_case.config.solver.rtol = single ? 1.0e-4 : 1.0e-12;
                    for (const std::unique_ptr<Device> &device : devices()) {
                        const Solution found = run(test_case, *device);
                        const std::string what = device->description().name + ": " + describe_case(test_case);
                        EXPECT_EQ(found.report.stop, StopReason::converged_rtol) << what;
                        EXPECT_LE(found.report.iterations, single ? 3 : 1) << what;
                        EXPECT_LT(compare(found.fields.front().values, expected.values).l2_relative,
                                  single ? 1.0e-2 : 1.0e-9)
                            << what;
                    }
                }
            }
        }
    }
}

/// Where nothing fixes the level of u, it is that of the initial values.
TEST_P(DirectSolve, LeavesTheMeanWhereNothingFixesIt) {
    for (const Shape &shape : {Shape{21, 18}, {8, 10, 12}, {32, 60}, {12, 16, 8}}) {
        for (const SideKind kind : {SideKind::flux, SideKind::periodic}) {
            Problem problem = random_problem(shape, all_sides(kind), Coefficients::uniform, 4);
            problem.only_field().sigma.values = {0.0};
            for (Side &side : problem.only_field().sides) {
                side.values.values = {0.0};
            }
            double mean = 0.0;
            for (const double f : problem.only_field().f.values) {
                mean += f / static_cast<double>(problem.only_field().f.values.size());
            }
            for (double &f : problem.only_field().f.values) {
                f -= mean;
            }
            const reference::Answer expected = reference::solve_diffusion(problem.grid, problem.only_field());
            for (const std::unique_ptr<Device> &device : devices()) {
                const Solution found = run(direct(problem, 0), *device);
                EXPECT_EQ(found.report.stop, StopReason::converged_rtol);
                EXPECT_LE(found.report.iterations, 2);
                EXPECT_LT(compare(found.fields.front().values, expected.values).l2_relative, 1.0e-9)
                    << device->description().name;
            }
        }
    }
}

/// Coarser levels: a cycle is no worse than with still coarser ones.
TEST_P(DirectSolve, IsTheEndOfACycle) {
    for (const Shape &shape : {Shape{64, 96}, {16, 24, 32}}) {
        const Problem problem = uniform_problem(shape, 3);
        const reference::Answer expected = reference::solve_diffusion(problem.grid, problem.only_field());
        for (const std::unique_ptr<Device> &device : devices()) {
            const auto iterations = [&](int level) {
                const Solution found = run(direct(problem, level), *device);
                EXPECT_LT(compare(found.fields.front().values, expected.values).l2_relative, 1.0e-8) << level;
                return found.report.iterations;
            };
            const std::int64_t of_a_whole_cycle = iterations(MultigridConfig::none);
            EXPECT_LE(iterations(1), of_a_whole_cycle);
            EXPECT_LE(iterations(2), of_a_whole_cycle);
        }
    }
}

TEST_P(DirectSolve, OfMethodMultigridNeedsNoCycle) {
    for (const Shape &shape : {Shape{20, 18}, {32, 48}, {8, 12, 16}}) {
        const Problem problem = random_problem(shape, sides_of_lines(static_cast<int>(shape.size()), 5),
                                               Coefficients::uniform, 5);
        const reference::Answer expected = reference::solve_diffusion(problem.grid, problem.only_field());
        Case test_case = with_options(problem, {SolverMethod::multigrid, {}, 0});
        test_case.config.solver.multigrid.direct_level = MultigridConfig::automatic;
        for (const bool full_start : {true, false}) {
            test_case.config.solver.multigrid.full_start = full_start;
            for (const std::unique_ptr<Device> &device : devices()) {
                const Solution found = run(test_case, *device);
                EXPECT_EQ(found.report.stop, StopReason::converged_rtol);
                EXPECT_LE(found.report.iterations, 1);
                EXPECT_LT(compare(found.fields.front().values, expected.values).l2_relative, 1.0e-9);
            }
        }
    }
}

TEST_P(DirectSolve, HasTheSameBitsHoweverItIsLaunched) {
    std::vector<Problem> problems;
    for (const Shape &shape : {Shape{53, 61}, {18, 16, 34}}) {  // products
        problems.push_back(uniform_problem(shape, 11));
    }
    for (const auto &[shape, kinds] : {std::pair{Shape{64, 36}, 5}, {{96, 40}, 23}, {{16, 24, 40}, 19}}) {
        problems.push_back(random_problem(shape, sides_of_lines(static_cast<int>(shape.size()), kinds),
                                          Coefficients::uniform, 12));
        problems.back().only_field().initial.values = {0.0};
    }
    for (const Problem &problem : problems) {
        for (const Precision precision : {Precision::float64, Precision::mixed}) {
            Case test_case = direct(problem, 0);
            test_case.config.execution.precision = precision;
            for (const std::unique_ptr<Device> &device : devices()) {
                test_case.config.execution.model = ExecutionModel::persistent;
                test_case.config.execution.groups = 1;
                const Solution expected = run(test_case, *device);
                for (const ExecutionModel model : models_of_phases(*device)) {
                    test_case.config.execution.model = model;
                    for (const int groups : {1, 2}) {
                        test_case.config.execution.groups = groups;
                        EXPECT_TRUE(same_bits(run(test_case, *device), expected))
                            << device->description().name << ": " << describe_case(test_case);
                    }
                }
            }
        }
    }
}

PERDURE_ON_EACH_BACK_END(DirectSolve);

}  // namespace
}  // namespace perdure::tests::direct_solve_test
