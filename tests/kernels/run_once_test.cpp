// A case that is not run again has the bits of one that is, though its samples are given up once the device has them.
#include <cmath>
#include <functional>

#include "solver/run/later_needs.hpp"
#include "tests/kernels/multigrid_cases.hpp"

namespace perdure::tests::run_once_test {
namespace {

class RunOnce : public OnEachBackEnd {};

bool is_given_up(const Samples &samples) {
    return samples.uniform() && std::isnan(samples[0]);
}

std::vector<Solution> snapshots_of(PreparedCase &prepared, bool once) {
    std::vector<Solution> snapshots;
    const auto keep = [&](Solution one) { snapshots.push_back(std::move(one)); };
    keep(once ? run_once(prepared, Progress::Style::quiet, keep)
              : run_case(prepared, Progress::Style::quiet, keep));
    return snapshots;
}

/// By conjugate gradients with multigrid, except on OpenCL, whose compilers take half a minute for it.
Case case_of(const Problem &problem, const Device &device) {
    if (device.description().backend != BackendChoice::opencl) {
        return with_multigrid(problem);
    }
    Case test_case = with_multigrid(problem);
    test_case.config.solver.preconditioner = Preconditioner::jacobi;
    test_case.config.solver.max_iterations = 1000;
    return test_case;
}

void expect_the_same(const Case &test_case, Device &device,
                     const std::function<void(const Field &)> &expect) {
    PreparedCase kept = prepare(test_case, device), given = prepare(test_case, device);
    const std::vector<Solution> expected = snapshots_of(kept, false), found = snapshots_of(given, true);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_TRUE(same_bits(found[i], expected[i])) << describe_case(test_case);
    }
    EXPECT_EQ(found.back().report.residual, expected.back().report.residual);
    EXPECT_EQ(found.back().report.effective.has_value(), expected.back().report.effective.has_value());
    EXPECT_EQ(kept.problem.only_field().f.values, test_case.problem.only_field().f.values);
    expect(given.problem.only_field());
}

TEST_P(RunOnce, GivesUpWhatASteadyCaseNeedsNoMore) {
    for (const auto &device : devices()) {
        Case test_case =
            case_of(random_problem({9, 10, 11}, mixed_sides(3), Coefficients::variable, 31), *device);
        expect_the_same(test_case, *device, [](const Field &field) {
            for (const Samples *samples : {&field.a, &field.sigma, &field.f, &field.initial}) {
                EXPECT_TRUE(is_given_up(*samples));
            }
        });
    }
}

TEST_P(RunOnce, KeepsTheCoefficientOfAThroughFlow) {
    for (const auto &device : devices()) {
        Case test_case =
            case_of(random_problem({9, 10, 11}, mixed_sides(3), Coefficients::variable, 32), *device);
        Field &field = test_case.problem.only_field();
        field.f = field.sigma = Samples();
        for (Side &side : field.sides) {
            side = Side{};
        }
        field.sides[2].kind = field.sides[3].kind = SideKind::value;
        field.sides[3].values.values = {2.0};
        const Samples a = field.a;
        expect_the_same(test_case, *device, [&](const Field &after) {
            EXPECT_EQ(after.a.values, a.values);
            EXPECT_TRUE(is_given_up(after.initial));
        });
        PreparedCase prepared = prepare(test_case, *device);
        EXPECT_GT(
            run_once(prepared, Progress::Style::quiet, [](const Solution &) {}).report.effective->coefficient,
            0.0);
    }
}

TEST_P(RunOnce, KeepsWhatFixesTheMean) {
    for (const auto &device : devices()) {
        Case test_case = case_of(
            random_problem({9, 10, 11}, all_sides(SideKind::periodic), Coefficients::variable, 33), *device);
        test_case.problem.only_field().sigma.values = {0.0};
        const Samples initial = test_case.problem.only_field().initial;
        expect_the_same(test_case, *device, [&](const Field &after) {
            EXPECT_EQ(after.initial.values, initial.values);
            EXPECT_TRUE(is_given_up(after.a));
        });
    }
}

TEST_P(RunOnce, KeepsWhatMatricesOfLaterStepsAreMadeOf) {
    for (const auto &device : devices()) {
        Case test_case =
            case_of(as_heat(random_problem({12, 14}, mixed_sides(2), Coefficients::variable, 34)), *device);
        test_case.config.time.emplace().integrator = TimeIntegrator::backward_euler;
        test_case.config.time->end = 0.1;
        test_case.config.time->step = 0.011;
        test_case.config.time->snapshot_times = {0.033, 0.05};  // which need steps of three sizes
        const Samples a = test_case.problem.only_field().a;
        expect_the_same(test_case, *device, [&](const Field &after) {
            EXPECT_EQ(after.a.values, a.values);
            EXPECT_TRUE(is_given_up(after.initial));
        });
    }
}

TEST_P(RunOnce, DoesNotReadFieldsThatNobodyAsksFor) {
    for (const auto &device : devices()) {
        Case test_case =
            case_of(random_problem({9, 10, 11}, mixed_sides(3), Coefficients::variable, 31), *device);
        test_case.config.output.fields.emplace();
        PreparedCase prepared = prepare(test_case, *device);
        EXPECT_EQ(run_case(prepared, Progress::Style::quiet, [](const Solution &) {}).fields.size(), 1U);
        prepared.keeps_unwritten = false;
        const Solution solution = run_once(prepared, Progress::Style::quiet, [](const Solution &) {});
        EXPECT_TRUE(solution.fields.empty());
        EXPECT_LT(solution.report.residual, 1.0e-9 * solution.report.right_hand_side_norm);
    }
}

PERDURE_ON_EACH_BACK_END(RunOnce);

}  // namespace
}  // namespace perdure::tests::run_once_test
