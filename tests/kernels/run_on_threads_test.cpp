// Every kernel on three host threads, for ThreadSanitizer to watch.
#include <algorithm>

#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::run_on_threads_test {
namespace {

Case three_groups() {
    Case test_case;
    test_case.problem = random_problem({23, 41}, mixed_sides(2), Coefficients::microstructure, 17);
    test_case.config.execution.groups = 3;
    return test_case;
}

void expect_agreement(const Solution &found, const std::vector<double> &expected, double bound) {
    EXPECT_EQ(found.report.groups, 3);
    EXPECT_EQ(found.report.launches, 1);
    EXPECT_LT(compare(found.fields.front().values, expected).l2_relative, bound);
}

void expect_agreement_in_both_norms(Case &test_case) {
    const std::vector<double> expected =
        reference::solve_diffusion(test_case.problem.grid, test_case.problem.only_field()).values;
    for (const Norm norm : {Norm::l2, Norm::max}) {
        test_case.config.solver.norm = norm;
        expect_agreement(run(test_case, host_device()), expected, 1.0e-8);
    }
}

TEST(RunOnThreads, ConjugateGradients) {
    Case test_case = three_groups();
    test_case.config.solver.rtol = 1.0e-11;
    expect_agreement_in_both_norms(test_case);
}

TEST(RunOnThreads, StabilisedBiconjugateGradients) {
    Case test_case = three_groups();
    test_case.problem = with_velocity(test_case.problem, Convection::upwind, 20.0, 18);
    test_case.config.solver.method = SolverMethod::bicgstab;
    test_case.config.solver.rtol = 1.0e-12;
    expect_agreement_in_both_norms(test_case);
}

TEST(RunOnThreads, Chebyshev) {
    Case test_case = three_groups();
    test_case.config.solver.method = SolverMethod::chebyshev;
    test_case.config.solver.rtol = 1.0e-12;
    const std::vector<double> expected =
        reference::solve_diffusion(test_case.problem.grid, test_case.problem.only_field()).values;
    expect_agreement(run(test_case, host_device()), expected, 1.0e-8);
}

TEST(RunOnThreads, Jacobi) {
    Case test_case = three_groups();
    test_case.problem.only_field().sigma.values = {200.0};
    test_case.config.solver.method = SolverMethod::jacobi;
    test_case.config.solver.rtol = 1.0e-11;
    expect_agreement_in_both_norms(test_case);
}

TEST(RunOnThreads, Heat) {
    Case test_case = three_groups();
    test_case.problem = as_heat(test_case.problem);
    test_case.config.time = some_steps(test_case.problem, 30.0);
    test_case.config.time->snapshot_times.clear();
    const std::vector<double> steps = step_sizes(time_segments(prepare(test_case, host_device())));
    expect_agreement(
        run(test_case, host_device()),
        reference::step_heat(test_case.problem.grid, test_case.problem.only_field(), steps).values, 1.0e-11);
}

}  // namespace
}  // namespace perdure::tests::run_on_threads_test
