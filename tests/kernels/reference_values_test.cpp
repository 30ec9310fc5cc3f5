// Effective diffusivities of real microstructures against published-style reference values, on every back
// end.
#include <filesystem>
#include <span>

#include "solver/run/run_effective.hpp"
#include "tests/kernels/run_problem.hpp"
#include "tests/reference_data.hpp"

namespace perdure::tests {
namespace {

/// div(a grad u) = 0, u = 1 and 0 on the two sides of an axis, unit spacing; values to 1e-6 (float64,
/// residual 1e-10).
struct ReferenceValue {
    const char *file;
    const char *dataset;
    int axis;  // 0 = x
    double coefficient;
    double tortuosity;
};

constexpr ReferenceValue reference_values[]{
    {"fiberform_100.h5", "/phase", 0, 0.6343737924, 1.31288526},
    {"two_phase_100.h5", "/image", 2, 0.3514141671, 1.70865906},
    {"two_phase_100.h5", "/image", 1, 0.3444618512, 1.74314513},
    {"two_phase_100.h5", "/image", 0, 0.3505387944, 1.71292596},
};

Case microstructure_case(const ReferenceValue &reference) {
    Case test_case;
    Config &config = test_case.config;
    config.grid.dimensions = 3;
    config.grid.cells = {100, 100, 100};
    config.a.kind = ValueSource::Kind::labels;
    config.a.file = reference_data() / reference.file;
    config.a.dataset = reference.dataset;
    config.a.labels = {{0, 1.0}, {1, 0.0}};
    config.sides[2 * reference.axis].kind = config.sides[2 * reference.axis + 1].kind = SideKind::value;
    config.sides[2 * reference.axis].values.number = 1.0;
    config.solver.rtol = 1.0e-9;
    test_case.problem = make_problem(config);
    return test_case;
}

class ReferenceValues : public OnEachBackEnd {};

TEST_P(ReferenceValues, EffectiveDiffusivityAndTortuosity) {
    if (!std::filesystem::exists(reference_data() / reference_values[0].file)) {
        GTEST_SKIP() << reference_data()
                     << " is not there; PERDURE_REFERENCE_DATA names the folder of the images";
    }
    // Processors take half a minute for each without multigrid, and OneRunFindsTheEffectiveTensor has the others.
    const bool on_gpu = GetParam() == BackendChoice::cuda;
    for (const ReferenceValue &reference :
         std::span(reference_values).first(on_gpu ? std::size(reference_values) : 1)) {
        Case test_case = microstructure_case(reference);
        test_case.config.solver.preconditioner = on_gpu ? Preconditioner::jacobi : Preconditioner::multigrid;
        for (const std::unique_ptr<Device> &device : devices()) {
            const Report report = run(test_case, *device).report;
            ASSERT_TRUE(report.effective.has_value());
            EXPECT_EQ(report.effective->axis, reference.axis);
            EXPECT_NEAR(report.effective->coefficient / reference.coefficient, 1.0, 1.0e-6)
                << reference.file << " on " << device->description().name;
            EXPECT_NEAR(report.effective->tortuosity / reference.tortuosity, 1.0, 1.0e-6);
            EXPECT_NEAR(report.effective->inflow / report.effective->outflow, 1.0, 1.0e-6);
        }
    }
}

TEST_P(ReferenceValues, OneRunFindsTheEffectiveTensor) {
    if (!std::filesystem::exists(reference_data() / reference_values[0].file)) {
        GTEST_SKIP() << reference_data()
                     << " is not there; PERDURE_REFERENCE_DATA names the folder of the images";
    }
    Case test_case;
    Config &config = test_case.config = microstructure_case(reference_values[1]).config;
    config.type = ProblemType::effective;
    config.effective.emplace();
    config.effective->axes = {2, 1, 0};
    config.solver.preconditioner = Preconditioner::multigrid;
    config.solver.check_every = 1;
    config.solver.rtol = 1.0e-10;
    point_along(2, config);
    test_case.problem = make_problem(config);
    for (const std::unique_ptr<Device> &device : devices()) {
        PreparedCase prepared = prepare(test_case, *device);
        const Report report = run_effective(prepared, Progress::Style::quiet).report;
        ASSERT_EQ(report.tensor->directions.size(), 3U);
        for (std::size_t i = 0; i < 3; ++i) {
            const EffectiveDirection &found = report.tensor->directions[i];
            EXPECT_NEAR(found.coefficient / reference_values[1 + i].coefficient, 1.0, 1.0e-7);
            EXPECT_NEAR(found.tortuosity / reference_values[1 + i].tortuosity, 1.0, 1.0e-7);
            EXPECT_LE(found.iterations, 60);
        }
    }
}

PERDURE_ON_EACH_BACK_END(ReferenceValues);

}  // namespace
}  // namespace perdure::tests
