// Whole tensors, and materials that conduct differently along each axis.
#include "solver/output/conductivity_tensor.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/image_cases.hpp"

namespace perdure::tests::conductivity_tensor_test {
namespace {

class ConductivityTensor : public OnEachBackEnd {};

/// Conductivities along x, y, z of the first material.
Case with_axes(Case test_case, const std::array<double, 3> &along) {
    Field &field = test_case.problem.only_field();
    field.image.materials[0].by_axis = along;
    field.varies_by_axis = true;
    return test_case;
}

TEST_P(ConductivityTensor, LabelsThatConductDifferentlyAlongEachAxis) {
    std::vector<std::uint8_t> halves;
    for (std::int64_t i = 0; i < 6 * 5 * 4; ++i) {
        halves.push_back(static_cast<std::uint8_t>(i % 6 / 3));
    }
    for (const auto &device : devices()) {
        const Case layered = with_axes(image_case({6, 5, 4}, {1.0, 2.0}, halves, false), {6.0, 3.0, 0.5});
        const EffectiveTensor exact = *solve(layered, *device).report.tensor;
        EXPECT_NEAR(exact.directions[0].coefficient, 2.0 / (1.0 / 6.0 + 1.0 / 2.0), 1.0e-9);
        EXPECT_NEAR(exact.directions[1].coefficient, 2.5, 1.0e-9);
        EXPECT_NEAR(exact.directions[2].coefficient, 1.25, 1.0e-9);
        EXPECT_NEAR(exact.directions[2].tortuosity, 1.0, 1.0e-9) << "of the mean along z";
        EXPECT_FALSE(exact.bounds_violated);
        EXPECT_FALSE(exact.hashin_shtrikman);
        EXPECT_NE(to_text(exact).find("conductivity x 6, y 3, z 0.5, fraction 0.500000"), std::string::npos);
        const Case random = with_axes(
            image_case({12, 9, 7}, {1.0, 0.1, 0.0}, random_image(12 * 9 * 7, 35, 5), true), {20.0, 1.0, 2.0});
        const Solution solution = solve(random, *device);
        for (const EffectiveDirection &found : solution.report.tensor->directions) {
            const Problem problem = problem_along(random, found.axis);
            const reference::Answer answer = reference::solve_diffusion(problem.grid, problem.only_field());
            const auto expected =
                effective_properties(problem.grid, problem.only_field(), FieldValues(answer.values));
            EXPECT_NEAR(found.coefficient / expected->coefficient, 1.0, 1.0e-8) << "axis " << found.axis;
            ASSERT_TRUE(found.bounds);
            EXPECT_GE(found.digits(), 9);
            EXPECT_LE(found.iterations, 60) << "axis " << found.axis;
        }
    }
}

/// Layers that rise by a cell a cell: half of each conductivity.
TEST_P(ConductivityTensor, SlantedLayersConductAlongThemselves) {
    const std::int64_t n = 32, thickness = 8;
    std::vector<std::uint8_t> of_cell;
    for (std::int64_t i = 0; i < n * n; ++i) {
        of_cell.push_back(static_cast<std::uint8_t>((i % n + i / n) / thickness % 2));
    }
    const Case test_case = image_case({n, n, 1}, {3.0, 1.0}, of_cell, true);
    for (const auto &device : devices()) {
        EffectiveTensor tensor = *solve(test_case, *device).report.tensor;
        const auto whole = conductivity_tensor(tensor);
        ASSERT_TRUE(whole.has_value());
        EXPECT_NEAR(whole->principal[0], 1.5, 0.05)
            << "across layers; ends hold values, and voxels are steps";
        EXPECT_NEAR(whole->principal[1], 2.0, 0.07) << "along layers";
        EXPECT_NEAR(whole->entries[0][0], 1.73707531, 1.0e-7) << "means of the fields flux_x and flux_y";
        EXPECT_NEAR(whole->entries[0][1], -0.20278509, 1.0e-7);
        EXPECT_NEAR(whole->entries[1][0], -0.20278509, 1.0e-7) << "x and y exchanged: the same image";
        EXPECT_LT(whole->asymmetry, 1.0e-7);
        EXPECT_NE(to_text(tensor).find("  tensor     x "), std::string::npos);
        tensor.sides = ImageSides::insulated;
        EXPECT_FALSE(conductivity_tensor(tensor)) << "insulated sides: the mean gradient is not known";
        EXPECT_EQ(to_text(tensor).find("  tensor     x "), std::string::npos);
    }
}

PERDURE_ON_EACH_BACK_END(ConductivityTensor);

}  // namespace
}  // namespace perdure::tests::conductivity_tensor_test
