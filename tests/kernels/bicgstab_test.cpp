// bicgstab where the first residual makes a bad shadow: it lies in a small space that the operator does not leave.
#include "tests/kernels/sample_problems.hpp"
#include "tests/kernels/true_residual.hpp"

namespace perdure::tests::bicgstab_test {
namespace {

/// Flow of unit speed along x or along all axes past a constant source, from u = 0. Every side along an axis that it flows along
/// holds 0, others are flux 0.
Case flow(const std::vector<std::int64_t> &shape, double a, Convection convection, bool along_all) {
    Case test_case;
    Problem &problem = test_case.problem;
    problem.fields.emplace_back().name = "u";
    problem.grid = box(shape);
    problem.only_field().a.values = {a};
    problem.only_field().f.values = {1.0};
    problem.only_field().convective = true;
    problem.only_field().convection = convection;
    for (int axis = 0; axis < (along_all ? problem.grid.dimensions : 1); ++axis) {
        problem.only_field().velocity[axis].values = {1.0};
        problem.only_field().sides[2 * axis].kind = problem.only_field().sides[2 * axis + 1].kind =
            SideKind::value;
    }
    test_case.config.solver.method = SolverMethod::bicgstab;
    test_case.config.solver.rtol = 1.0e-10;
    return test_case;
}

class Bicgstab : public OnEachBackEnd {
  protected:
    /// Converges within so many iterations, to a true residual by the reference's matrix.
    static void expect_convergence(const Case &test_case, std::int64_t most_iterations) {
        const double tolerance = test_case.config.solver.rtol * right_hand_side_norms(test_case.problem).l2;
        const double rounding = test_case.config.execution.precision == Precision::float32 ? 2.0 : 1.0001;
        for (const std::unique_ptr<Device> &device : devices()) {
            const Solution found = run(test_case, *device);
            EXPECT_EQ(found.report.stop, StopReason::converged_rtol) << describe(found.report.stop);
            EXPECT_LE(found.report.iterations, most_iterations);
            EXPECT_LE(residual_norms(test_case.problem, found.fields.front().values).l2,
                      rounding * tolerance);
        }
    }
};

TEST_P(Bicgstab, AConstantFirstResidualIsNoHindrance) {
    for (const Norm norm : {Norm::l2, Norm::max}) {
        for (const Preconditioner preconditioner : {Preconditioner::jacobi, Preconditioner::none}) {
            Case central = flow({32, 128}, 0.01, Convection::central, false);
            central.config.solver.norm = norm;
            central.config.solver.preconditioner = preconditioner;
            expect_convergence(central, 220);
            Case upwind = flow({32, 128}, 1.0e-4, Convection::upwind, false);
            upwind.config.solver.norm = norm;
            upwind.config.solver.preconditioner = preconditioner;
            expect_convergence(upwind, 200);
        }
    }
    expect_convergence(flow({96, 96}, 0.01, Convection::central, true), 220);
    expect_convergence(flow({96, 96}, 0.001, Convection::upwind, true), 220);
}

TEST_P(Bicgstab, NorIsOneAtASingleSide) {
    Case test_case = flow({32, 128}, 0.01, Convection::central, false);
    test_case.problem.only_field().f.values = {0.0};
    test_case.problem.only_field().sides[0].values.values = {1.0};
    expect_convergence(test_case, 220);
}

TEST_P(Bicgstab, BreakdownsInFloat32AreGoneBeyondWithOtherShadows) {
    Case test_case = flow({24, 96}, 1.0e-4, Convection::upwind, false);
    test_case.config.execution.precision = Precision::float32;
    test_case.config.solver.rtol = 1.0e-4;
    expect_convergence(test_case, 300);
    test_case.problem.only_field().f.values = {0.0};
    test_case.problem.only_field().sides[0].values.values = {1.0};
    expect_convergence(test_case, 300);
}

PERDURE_ON_EACH_BACK_END(Bicgstab);

}  // namespace
}  // namespace perdure::tests::bicgstab_test
