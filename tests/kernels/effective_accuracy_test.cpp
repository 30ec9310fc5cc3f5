// What effective coefficients are worth while the residual is still large, or at great contrasts, on every back end.
#include "tests/kernels/image_cases.hpp"

namespace perdure::tests::effective_accuracy_test {
namespace {

class EffectiveAccuracy : public OnEachBackEnd {};

/// Where the residual is still large the coefficient is the square of the fields' error away, and above: by each method.
TEST_P(EffectiveAccuracy, CoefficientsAreThoseOfTheDissipatedEnergy) {
    struct Early {
        SolverMethod method;
        Preconditioner preconditioner;
        double rtol, most;  // of which the coefficient is off
    };
    Case test_case = image_case({16, 16, 16}, {1.0, 0.1, 0.0}, random_image(16 * 16 * 16, 30, 9), false);
    for (const auto &device : devices()) {
        const auto tensor = [&](double rtol) {
            test_case.config.solver.rtol = rtol;
            return *solve(test_case, *device).report.tensor;
        };
        test_case.config.solver.method = SolverMethod::cg;
        test_case.config.solver.preconditioner = Preconditioner::multigrid;
        const EffectiveTensor exact = tensor(1.0e-12);
        for (const Early &early : {Early{SolverMethod::cg, Preconditioner::multigrid, 1.0e-3, 1.0e-3},
                                   Early{SolverMethod::cg, Preconditioner::multigrid, 1.0e-5, 1.0e-7},
                                   Early{SolverMethod::cg, Preconditioner::jacobi, 1.0e-5, 1.0e-6},
                                   Early{SolverMethod::multigrid, Preconditioner::jacobi, 1.0e-5, 1.0e-6},
                                   Early{SolverMethod::sor, Preconditioner::jacobi, 1.0e-5, 1.0e-6},
                                   Early{SolverMethod::chebyshev, Preconditioner::jacobi, 1.0e-5, 1.0e-5}}) {
            test_case.config.solver.method = early.method;
            test_case.config.solver.preconditioner = early.preconditioner;
            const EffectiveTensor found = tensor(early.rtol);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double error =
                    found.directions[axis].coefficient / exact.directions[axis].coefficient - 1.0;
                EXPECT_GT(error, 0.0) << name(early.method);
                EXPECT_LT(error, early.most) << name(early.method);
                EXPECT_EQ(exit_code(found.directions[axis].stop), ExitCode::success);
            }
        }
    }
}

/// Islands of a good conductor, cubes of 4 cells, in a poor one, and a layer of the poor one across.
Case image_with_islands(std::int64_t blocks) {
    const std::int64_t size = 4, n = blocks * size;
    const std::vector<std::uint8_t> of_block = random_image(blocks * blocks * blocks, 30, 3);
    std::vector<std::uint8_t> of_cell;
    for (std::int64_t i = 0; i < n * n * n; ++i) {
        const std::int64_t x = i % n, y = i / n % n, z = i / (n * n);
        const std::uint8_t material = of_block[(z / size * blocks + y / size) * blocks + x / size];
        of_cell.push_back(x == n / 2 ? 1 : material);
    }
    Case test_case = image_case({n, n, n}, {1.0, 1.0e-6, 0.0}, of_cell, false);
    test_case.config.effective->axes = {0};
    test_case.config.output.fields = std::vector<std::string>{};
    return test_case;
}

/// The residual is small long before all islands have found their values. Without fields on the host that is seen as well.
TEST_P(EffectiveAccuracy, ACoefficientThatIsNotYetAccurateIsNotTakenForOne) {
    for (const auto &device : devices()) {
        const bool on_gpu = device->description().gpu;
        Case test_case = image_with_islands(on_gpu ? 10 : 6);
        const auto report = [&](double rtol) {
            test_case.config.solver.rtol = rtol;
            return solve(test_case, *device).report;
        };
        const Report exact = report(1.0e-11);
        EXPECT_EQ(exit_code(exact), ExitCode::success);
        const double expected = exact.tensor->directions[0].coefficient;
        EXPECT_LT(exact.tensor->directions[0].plane_spread, 1.0e-3);
        bool early_once = false;
        for (const double rtol : on_gpu ? std::vector{1.0e-2, 1.0e-3, 1.0e-4, 1.0e-5, 1.0e-6, 1.0e-7, 1.0e-8}
                                        : std::vector{1.0e-2, 1.0e-4, 1.0e-6}) {
            const Report early = report(rtol);
            const double error = early.tensor->directions[0].coefficient / expected - 1.0;
            early_once |= error >= 0.01;
            EXPECT_TRUE(error < 0.01 || early.tensor->fluxes_differ) << rtol << ": " << error;
            EXPECT_EQ(exit_code(early),
                      early.tensor->fluxes_differ ? ExitCode::not_converged : ExitCode::success);
        }
        EXPECT_TRUE(early_once) << "no tolerance was too loose";
    }
}

PERDURE_ON_EACH_BACK_END(EffectiveAccuracy);

}  // namespace
}  // namespace perdure::tests::effective_accuracy_test
