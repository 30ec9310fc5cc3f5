// Implicit steps of the heat equation: a solve in a step in a loop, in one launch, on every back end.
#include <cmath>
#include <numbers>

#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::implicit_steps_test {
namespace {

constexpr std::array integrators{TimeIntegrator::backward_euler, TimeIntegrator::crank_nicolson,
                                 TimeIntegrator::bdf2};

struct Solver {
    SolverMethod method = SolverMethod::cg;
    Preconditioner preconditioner = Preconditioner::jacobi;
};
constexpr std::array solvers{Solver{}, Solver{SolverMethod::cg, Preconditioner::multigrid},
                             Solver{SolverMethod::multigrid, Preconditioner::none}};

Case case_of(Problem problem, TimeIntegrator integrator, Solver solver, double end, double dt) {
    Case of{.config = {}, .problem = std::move(problem)};
    of.problem.only_field().in_time = true;
    of.config.time.emplace().integrator = integrator;
    of.config.time->end = end;
    of.config.time->step = dt;
    of.config.solver.method = solver.method;
    of.config.solver.preconditioner = solver.preconditioner;
    of.config.solver.check_every = solver.preconditioner == Preconditioner::jacobi ? 5 : 1;
    of.config.solver.rtol = 1.0e-12;
    return of;
}

/// Of random coefficients and sources, sources and a side that vary in time, and snapshots that need steps of three sizes.
Case varied_case(TimeIntegrator integrator, Solver solver, const std::vector<std::int64_t> &shape,
                 Coefficients coefficients) {
    Problem problem =
        as_heat(random_problem(shape, mixed_sides(static_cast<int>(shape.size())), coefficients, 5));
    if (coefficients != Coefficients::uniform) {
        std::mt19937_64 random(9);
        problem.only_field().capacity = random_samples(problem.grid, 0.5, 5.0, random);
    }
    Case of = case_of(std::move(problem), integrator, solver, 0.1, 0.011);
    of.config.time->snapshot_times = {0.033, 0.05};
    return of;
}

double difference_from_reference(const Case &of, Device &device) {
    const PreparedCase prepared = prepare(of, device);
    const Solution solution = run_case(prepared, Progress::Style::quiet, [](const Solution &) {});
    EXPECT_EQ(solution.report.stop, StopReason::complete);
    const auto answers =
        prepared.plan.method->reference(prepared.problem, step_sizes(time_segments(prepared)));
    return compare(solution.fields.front().values, answers.front().values).max_relative;
}

class ImplicitSteps : public OnEachBackEnd {};

TEST_P(ImplicitSteps, AgreeWithTheReference) {
    for (const auto &device : devices()) {
        for (const TimeIntegrator integrator : integrators) {
            for (const Solver &solver : solvers) {
                EXPECT_LT(
                    difference_from_reference(
                        varied_case(integrator, solver, {13, 22}, Coefficients::microstructure), *device),
                    1.0e-9)
                    << name(integrator) << " " << name(solver.method) << " " << name(solver.preconditioner);
            }
            // solved by transforms, by cycles on an odd grid
            for (const std::vector<std::int64_t> &shape :
                 {std::vector<std::int64_t>{8, 12, 16}, {9, 11, 14}}) {
                EXPECT_LT(difference_from_reference(
                              varied_case(integrator, solvers[2], shape, Coefficients::uniform), *device),
                          1.0e-9)
                    << name(integrator) << " " << shape[0];
            }
        }
    }
}

TEST_P(ImplicitSteps, AgreeWithTheReferenceInOtherPrecisions) {
    for (const auto &device : devices()) {
        for (const auto &[precision, bound] :
             {std::pair{Precision::mixed, 1.0e-9}, {Precision::float32, 1.0e-5}}) {
            Case of = varied_case(TimeIntegrator::bdf2, solvers[1], {13, 22}, Coefficients::microstructure);
            of.config.execution.precision = precision;
            of.config.solver.rtol = precision == Precision::mixed ? 1.0e-12 : 1.0e-7;
            EXPECT_LT(difference_from_reference(of, *device), bound) << name(precision);
        }
    }
}

TEST_P(ImplicitSteps, HaveTheSameBitsHoweverTheyAreLaunched) {
    for (const auto &device : devices()) {
        for (std::size_t i = 0; i < integrators.size(); ++i) {
            const Case of = varied_case(integrators[i], solvers[i], {13, 22}, Coefficients::microstructure);
            const Solution expected = run(of, *device);
            EXPECT_TRUE(same_bits(run(of, host_device()), expected));
            for (const int groups : {1, 2}) {
                Case other = of;
                other.config.execution.groups = groups;
                EXPECT_TRUE(same_bits(run(other, *device), expected)) << groups;
            }
            Case other = of;
            other.config.execution.model = ExecutionModel::launches;
            EXPECT_TRUE(same_bits(run(other, *device), expected));
        }
    }
}

TEST_P(ImplicitSteps, AreALaunchBetweenSnapshotsAndReportTheirIterations) {
    for (const auto &device : devices()) {
        Case of = varied_case(TimeIntegrator::backward_euler, solvers[1], {13, 22}, Coefficients::variable);
        of.config.time->snapshot_times = {0.05};
        const std::vector<Solution> snapshots = run_snapshots(of, *device);
        ASSERT_EQ(snapshots.size(), 2U);
        const Report &report = snapshots.back().report;
        EXPECT_EQ(snapshots.front().step, 5);
        EXPECT_DOUBLE_EQ(snapshots.front().time, 0.05);
        EXPECT_EQ(report.iterations, 10) << "5 steps of 0.01 instead of 4 of 0.011 and one shorter, twice";
        if (device->description().shared_control) {
            EXPECT_EQ(report.launches, 2);
        }
        ASSERT_TRUE(report.solves.has_value());
        EXPECT_GE(report.solves->most_iterations * 10, report.solves->iterations);
        EXPECT_GT(report.solves->most_iterations, 3);
        ASSERT_EQ(report.history.size(), 10U) << "one entry a step";
        for (std::size_t n = 0; n < report.history.size(); ++n) {
            EXPECT_EQ(report.history[n].iteration, static_cast<std::int64_t>(n) + 1);
        }
        EXPECT_LE(report.residual, report.tolerance);
        EXPECT_EQ(report.norm, "l2");
    }
}

TEST_P(ImplicitSteps, EndWithASolveThatFails) {
    for (const auto &device : devices()) {
        Case of = varied_case(TimeIntegrator::backward_euler, solvers[0], {13, 22}, Coefficients::variable);
        of.config.solver.max_iterations = 6;
        const Solution solution = run(of, *device);
        EXPECT_EQ(solution.report.stop, StopReason::iteration_limit);
        EXPECT_EQ(solution.report.iterations, 0);
        EXPECT_EQ(solution.report.solves.value().iterations, 6);
    }
}

// What the last step leaves is rounding then, and no solve can take 10^-12 of that.
TEST_P(ImplicitSteps, GoOnWhereNothingChangesAnyMore) {
    for (const auto &device : devices()) {
        for (const Solver &solver : solvers) {
            Problem problem = random_problem({13, 22}, mixed_sides(2), Coefficients::variable, 5);
            problem.only_field().capacity = problem.only_field().a;
            const Problem steady = problem;
            const Case of = case_of(std::move(problem), TimeIntegrator::backward_euler, solver, 2.0e4, 500.0);
            const Solution solution = run(of, *device);
            EXPECT_EQ(solution.report.stop, StopReason::complete) << name(solver.method);
            EXPECT_EQ(solution.report.iterations, 40);
            const auto answer = reference::solve_diffusion(steady.grid, steady.only_field());
            EXPECT_LT(compare(solution.fields.front().values, answer.values).max_relative, 1.0e-11);
        }
    }
}

/// Of an interval with many more steps than those that are looked at, extrapolated by the order of the method.
std::vector<double> nearly_exact(const Problem &problem, double end) {
    const auto of_steps = [&](int count) {
        return reference::step_crank_nicolson(problem, std::vector<double>(count, end / count))
            .front()
            .values;
    };
    std::vector<double> fine = of_steps(1024);
    const std::vector<double> coarse = of_steps(512);
    for (std::size_t i = 0; i < fine.size(); ++i) {
        fine[i] += (fine[i] - coarse[i]) / 3.0;
    }
    return fine;
}

/// Smooth in space, so that all that changes is resolved by steps.
Problem smooth_problem(bool varied) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    Field &field = problem.only_field();
    problem.grid = box({12, 16});
    field.in_time = true;
    field.a.values = {1.0};
    field.initial = sample(problem.grid, [](const Point &x) {
        return std::cos(std::numbers::pi * x[0]) * std::cos(std::numbers::pi * x[1]);
    });
    if (varied) {
        field.a = sample(problem.grid, [](const Point &x) { return x[0] < 0.5 ? 1.0 : 2.5; });
        field.capacity = sample(problem.grid, [](const Point &x) { return 1.0 + x[1]; });
    }
    return problem;
}

/// Steps that follow one another evenly leave an extrapolation little to correct, and each solve is as accurate as before.
TEST_P(ImplicitSteps, BeginFromAnExtrapolationOfThoseBefore) {
    constexpr int steps = 16;
    constexpr double dt = 0.001;
    for (const auto &device : devices()) {
        for (const TimeIntegrator integrator : {TimeIntegrator::backward_euler, TimeIntegrator::bdf2}) {
            for (const Norm norm : {Norm::l2, Norm::max}) {
                const auto of_steps = [&](int count) {
                    Case of = case_of(smooth_problem(true), integrator, solvers[0], count * dt, dt);
                    of.config.solver.check_every = 1;
                    of.config.solver.rtol = 1.0e-8;
                    of.config.solver.norm = norm;
                    return of;
                };
                const std::int64_t first = run(of_steps(1), *device).report.solves.value().iterations;
                const Solution solution = run(of_steps(steps), *device);
                const SolvesOfSteps &solves = solution.report.solves.value();
                EXPECT_EQ(solution.report.iterations, steps);
                EXPECT_LT(static_cast<double>(solves.iterations), 0.85 * steps * static_cast<double>(first))
                    << name(integrator) << " " << name(norm);
                EXPECT_LE(solution.report.residual, solution.report.tolerance);
                EXPECT_LT(difference_from_reference(of_steps(steps), *device), 1.0e-7);
            }
        }
    }
}

TEST_P(ImplicitSteps, AreOfTheirOrder) {
    Problem with_source = smooth_problem(true);
    with_source.only_field().f = with_source.only_field().initial;
    with_source.only_field().f_time_factor = "10 * sin(20 * t)";
    for (const Problem &problem : {smooth_problem(false), smooth_problem(true), with_source}) {
        const std::vector<double> exact = nearly_exact(problem, 0.1);
        for (const auto &device : devices()) {
            for (const TimeIntegrator integrator : integrators) {
                Case of = case_of(problem, integrator, solvers[1], 0.1, 0.1);
                std::vector<double> errors;
                for (const int count : {64, 128}) {
                    of.config.time->step = of.config.time->end / count;
                    errors.push_back(compare(run(of, *device).fields.front().values, exact).l2);
                }
                const double order = integrator == TimeIntegrator::backward_euler ? 1.0 : 2.0;
                EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.1)
                    << name(integrator) << " " << errors[0] << " " << errors[1];
            }
        }
    }
}

PERDURE_ON_EACH_BACK_END(ImplicitSteps);

}  // namespace
}  // namespace perdure::tests::implicit_steps_test
