// Multigrid goes step for step with its reference implementation, finds the answer, and has the same bits however it is launched.
#include "solver/reference/multigrid.hpp"

#include <algorithm>
#include <cmath>

#include "solver/backends/host/host_device.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/multigrid_cases.hpp"

namespace perdure::tests::multigrid_test {
namespace {

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
    floating.only_field().sigma.values = {0.0};
    double mean = 0.0;
    for (Side &side : floating.only_field().sides) {
        side.values.values = {0.0};
    }
    for (const double f : floating.only_field().f.values) {
        mean += f / static_cast<double>(floating.only_field().f.values.size());
    }
    for (double &f : floating.only_field().f.values) {
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
        for (const SolverMethod method : {SolverMethod::cg, SolverMethod::multigrid}) {
            const bool krylov = method == SolverMethod::cg;
            test_case.config.solver.method = method;
            test_case.config.solver.preconditioner =
                krylov ? Preconditioner::multigrid : Preconditioner::none;
            test_case.config.solver.max_iterations = 3;
            for (const std::unique_ptr<Device> &device : devices()) {
                const Solution found = run(test_case, *device);
                const auto iterations = static_cast<int>(found.report.iterations);
                const auto expected =
                    krylov ? reference::iterate_cg_multigrid(problem.grid, problem.only_field(), iterations)
                           : reference::iterate_multigrid(problem.grid, problem.only_field(), iterations);
                const FieldDifference difference = compare(found.fields.front().values, expected.u);
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

/// Every cycle, smoother and start; red and black cells where no side is periodic, which odd levels would not allow.
TEST_P(Multigrid, GoesStepForStepWithItsTwinWhateverTheOptions) {
    for (const MultigridOptions &options : {
             MultigridOptions{SolverMethod::multigrid, {Cycle::w, Smoother::chebyshev, 2, false}, 0},
             MultigridOptions{SolverMethod::multigrid, {Cycle::f, Smoother::jacobi, 1, false}, 0},
             MultigridOptions{SolverMethod::multigrid, {Cycle::v, Smoother::chebyshev, 3, true}, 0},
             MultigridOptions{SolverMethod::multigrid, {Cycle::f, Smoother::red_black, 2, true}, 0},
             MultigridOptions{SolverMethod::multigrid, {Cycle::w, Smoother::red_black, 1, false}, 0},
             MultigridOptions{SolverMethod::cg, {Cycle::v, Smoother::red_black, 2, false}, 0},
             MultigridOptions{SolverMethod::cg, {Cycle::v, Smoother::jacobi, 3, false}, 0},
             MultigridOptions{SolverMethod::cg, {Cycle::v, Smoother::chebyshev, 1, false}, 0},
         }) {
        const bool krylov = options.method == SolverMethod::cg;
        for (const std::vector<std::int64_t> &shape :
             std::vector<std::vector<std::int64_t>>{{50, 61}, {23, 18, 13}, {1, 37}}) {
            for (const Coefficients coefficients :
                 {Coefficients::uniform, Coefficients::variable, Coefficients::microstructure}) {
                Kinds kinds = all_sides(SideKind::value);
                kinds[0] = SideKind::exchange;
                kinds[1] = SideKind::flux;
                Case test_case = with_options(random_problem(shape, kinds, coefficients, 17), options);
                if (shape.size() == 3) {
                    test_case.problem.only_field().initial.values = {0.0};
                }
                test_case.config.solver.rtol = 1.0e-14;
                test_case.config.solver.max_iterations = 3;
                for (const std::unique_ptr<Device> &device : devices()) {
                    const Solution found = run(test_case, *device);
                    const auto iterations = static_cast<int>(found.report.iterations);
                    const auto iterate =
                        krylov ? reference::iterate_cg_multigrid : reference::iterate_multigrid;
                    const auto expected = iterate(test_case.problem.grid, test_case.problem.only_field(),
                                                  iterations, options.multigrid);
                    const FieldDifference difference = compare(found.fields.front().values, expected.u);
                    const std::string what = device->description().name + ": " + describe_case(test_case) +
                                             " " + name(options.multigrid.cycle) + " " +
                                             name(options.multigrid.smoother);
                    EXPECT_EQ(difference.disagreeing_exclusions, 0) << what;
                    EXPECT_LT(difference.max_relative, 1.0e-11) << what;
                    EXPECT_NEAR(found.report.residual, expected.residuals.back(),
                                1.0e-10 * expected.residuals.front())
                        << what;
                }
            }
        }
    }
}

TEST_P(Multigrid, FindsTheAnswerInEachPrecision) {
    for (const Problem &problem : problems()) {
        const reference::Answer expected = reference::solve_diffusion(problem.grid, problem.only_field());
        for (const Precision precision : {Precision::float32, Precision::float64, Precision::mixed}) {
            const bool single = precision == Precision::float32;
            Case test_case = with_multigrid(problem);
            test_case.config.execution.precision = precision;
            test_case.config.solver.rtol = single ? 1.0e-6 : 1.0e-12;
            for (const std::unique_ptr<Device> &device : devices()) {
                const Solution found = run(test_case, *device);
                EXPECT_LT(compare(found.fields.front().values, expected.values).l2_relative,
                          single ? 1.0e-3 : 1.0e-8)
                    << device->description().name << ": " << describe_case(test_case) << ", "
                    << describe(found.report.stop);
            }
        }
    }
}

/// The same values times a power of two.
Samples times(Samples samples, double factor) {
    for (double &value : samples.values) {
        value *= factor;
    }
    return samples;
}

/// No number of a cycle leaves the range of float32, however large or small those of the problem are: powers of two come
/// through it without a trace.
TEST_P(Multigrid, InMixedPrecisionDoesNotDependOnUnits) {
    for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::microstructure}) {
        Case test_case =
            with_multigrid(random_problem({13, 17, 9}, all_sides(SideKind::value), coefficients, 5));
        test_case.config.execution.precision = Precision::mixed;
        test_case.problem.only_field().initial.values = {0.0};
        const Problem problem = test_case.problem;
        for (const std::unique_ptr<Device> &device : devices()) {
            test_case.problem = problem;
            const Solution expected = run(test_case, *device);
            EXPECT_EQ(expected.report.stop, StopReason::converged_rtol) << describe_case(test_case);
            for (const auto &[of_a, of_u] : {std::pair{0, -250}, {0, 280}, {190, 60}, {-170, -120}}) {
                test_case.problem.only_field().a = times(problem.only_field().a, std::ldexp(1.0, of_a));
                test_case.problem.only_field().sigma =
                    times(problem.only_field().sigma, std::ldexp(1.0, of_a));
                test_case.problem.only_field().f =
                    times(problem.only_field().f, std::ldexp(1.0, of_a + of_u));
                for (int side = 0; side < 6; ++side) {
                    test_case.problem.only_field().sides[side].values =
                        times(problem.only_field().sides[side].values, std::ldexp(1.0, of_u));
                }
                const Solution found = run(test_case, *device);
                EXPECT_EQ(found.report.iterations, expected.report.iterations) << of_a << " " << of_u;
                for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
                    const double value = value_at(expected.fields.front().values, i);
                    ASSERT_TRUE(std::isnan(value) ||
                                value_at(found.fields.front().values, i) == std::ldexp(value, of_u))
                        << device->description().name << ", cell " << i << ", " << of_a << " " << of_u;
                }
            }
        }
    }
}

TEST_P(Multigrid, InMixedPrecisionRefusesWhatFloat32CannotHold) {
    Case test_case =
        with_multigrid(random_problem({13, 17}, all_sides(SideKind::value), Coefficients::variable, 5));
    test_case.config.execution.precision = Precision::mixed;
    test_case.problem.only_field().a.values[20] = 1.0e-35;
    for (const std::unique_ptr<Device> &device : devices()) {
        try {
            run(test_case, *device);
            ADD_FAILURE() << "not refused";
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::bad_input);
            EXPECT_NE(std::string(failure.what()).find("the float32 cycles of execution.precision: mixed"),
                      std::string::npos)
                << failure.what();
        }
    }
}

TEST_P(Multigrid, HasTheSameBitsHoweverItIsLaunched) {
    const MultigridOptions chebyshev{SolverMethod::cg, {}, 0};
    const MultigridOptions colours{SolverMethod::cg, {Cycle::v, Smoother::red_black, 1, false}, 0};
    for (const auto &[precision, options] :
         {std::pair{Precision::float64, chebyshev},
          {Precision::float64, colours},
          {Precision::mixed, chebyshev},
          {Precision::mixed, colours},
          {Precision::float64,
           MultigridOptions{SolverMethod::multigrid, {Cycle::f, Smoother::jacobi, 3, true}, 0}}}) {
        for (const std::vector<std::int64_t> &shape :
             std::vector<std::vector<std::int64_t>>{{53, 61}, {15, 16, 17}}) {
            Kinds kinds = all_sides(SideKind::value);
            kinds[0] = SideKind::exchange;
            const Coefficients coefficients =
                options.method == SolverMethod::cg ? Coefficients::microstructure : Coefficients::variable;
            Problem problem = random_problem(shape, kinds, coefficients, 11);
            if (shape.size() == 3) {
                problem.only_field().initial.values = {0.0};  // b stands for the first residual
            }
            Case test_case = with_options(problem, options);
            test_case.config.solver.norm = shape.size() == 2 ? Norm::max : Norm::l2;
            test_case.config.execution.precision = precision;
            for (const std::unique_ptr<Device> &device : devices()) {
                test_case.config.execution.model = ExecutionModel::persistent;
                test_case.config.execution.groups = 1;
                const int most =
                    device->most_groups({"cg_multigrid", precision}, device->default_group_size());
                const Solution expected = run(test_case, *device);
                EXPECT_EQ(expected.report.stop, StopReason::converged_rtol) << describe_case(test_case);
                for (const ExecutionModel model : models_of_phases(*device)) {
                    test_case.config.execution.model = model;
                    for (const int groups : {2, 5}) {
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
}  // namespace perdure::tests::multigrid_test
