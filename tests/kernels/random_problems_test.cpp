// Random problems agree with the reference, which shares no arithmetic with the kernels.
#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests {
namespace {

constexpr int problems = 24;

struct Draw {
    std::vector<std::int64_t> shape;
    Kinds kinds;
    Coefficients coefficients;
};

Draw draw(std::mt19937_64 &random, bool steady) {
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    Draw drawn;
    const int dimensions = 2 + below(2);
    for (int axis = 0; axis < dimensions; ++axis) {
        drawn.shape.push_back(1 + below(dimensions == 2 ? 30 : 12));
    }
    for (int axis = 0; axis < 3; ++axis) {
        const bool periodic = below(4) == 0;
        for (const int side : {2 * axis, 2 * axis + 1}) {
            constexpr std::array<SideKind, 3> ends{SideKind::flux, SideKind::value, SideKind::exchange};
            drawn.kinds[side] = periodic ? SideKind::periodic : ends[below(3)];
        }
    }
    drawn.coefficients = static_cast<Coefficients>(below(3));
    if (steady && drawn.coefficients == Coefficients::microstructure) {
        drawn.kinds[0] = drawn.kinds[1] = SideKind::value;
    }
    return drawn;
}

Problem draw_problem(std::mt19937_64 &random, bool steady) {
    const Draw drawn = draw(random, steady);
    return random_problem(drawn.shape, drawn.kinds, drawn.coefficients, random());
}

class RandomProblems : public OnEachBackEnd {
  protected:
    static void expect_agreement(const Case &test_case, const std::vector<double> &expected, double bound) {
        for (const std::unique_ptr<Device> &device : devices()) {
            const Solution found = run(test_case, *device);
            const FieldDifference difference = compare(found.u, expected);
            const std::string what = device->description().name + ": " + describe_case(test_case) + ", " +
                                     describe(found.report.stop);
            EXPECT_EQ(difference.disagreeing_exclusions, 0) << what;
            EXPECT_LT(difference.l2_relative, bound) << what;
            EXPECT_LT(difference.max_relative, bound) << what;
        }
    }
};

TEST_P(RandomProblems, SteadyFieldsAgreeWithTheReference) {
    std::mt19937_64 random(2024);
    for (int i = 0; i < problems; ++i) {
        Case test_case{{}, draw_problem(random, true)};
        test_case.config.solver.rtol = 1.0e-12;
        test_case.config.solver.max_iterations = 20000;
        const reference::Answer expected = reference::solve_diffusion(test_case.problem);
        expect_agreement(test_case, expected.u, 1.0e-8);
        if (i % 4 == 0) {
            test_case.config.solver.method = SolverMethod::jacobi;
            test_case.config.solver.check_every = 200;
            expect_agreement(test_case, expected.u, 1.0e-8);
        }
        test_case.config.solver.method = SolverMethod::chebyshev;
        test_case.config.solver.check_every = 10;
        expect_agreement(test_case, expected.u, 1.0e-8);
        test_case.config.solver.method = SolverMethod::cg;
        test_case.config.solver.preconditioner = Preconditioner::multigrid;
        test_case.config.solver.check_every = 1;
        test_case.config.execution.precision = Precision::mixed;
        expect_agreement(test_case, expected.u, 1.0e-8);
    }
}

TEST_P(RandomProblems, ConvectionAgreesWithTheReference) {
    std::mt19937_64 random(11);
    for (int i = 0; i < problems; ++i) {
        const Convection convection = i % 2 == 0 ? Convection::central : Convection::upwind;
        Case test_case{{}, with_velocity(draw_problem(random, true), convection, 10.0, random())};
        test_case.config.solver.method = SolverMethod::bicgstab;
        test_case.config.solver.rtol = 1.0e-12;
        test_case.config.solver.max_iterations = 20000;
        const reference::Answer expected = reference::solve_diffusion(test_case.problem);
        expect_agreement(test_case, expected.u, 1.0e-8);
        if (convection == Convection::upwind && i % 4 == 1) {
            test_case.config.solver.method = SolverMethod::jacobi;
            test_case.config.solver.check_every = 200;
            expect_agreement(test_case, expected.u, 1.0e-8);
        }
    }
}

TEST_P(RandomProblems, HeatAgreesWithTheReference) {
    std::mt19937_64 random(7);
    for (int i = 0; i < problems; ++i) {
        Case test_case{{}, as_heat(draw_problem(random, false))};
        test_case.config.time = some_steps(test_case.problem, 60.0);
        const std::vector<double> steps = step_sizes(heat_segments(prepare(test_case, host_device())));
        EXPECT_GE(steps.size(), 60U);
        expect_agreement(test_case, reference::step_heat(test_case.problem, steps).u, 1.0e-11);
    }
}

PERDURE_ON_EACH_BACK_END(RandomProblems);

}  // namespace
}  // namespace perdure::tests
