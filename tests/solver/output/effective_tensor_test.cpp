// Bounds on effective coefficients, and what is said where a tensor does not keep them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "solver/output/effective_tensor.hpp"
#include "solver/output/report_text.hpp"
#include "solver/output/stop_reason.hpp"

namespace perdure::effective_tensor_test {
namespace {

TEST(EffectiveBounds, OfTwoMaterials) {
    MaterialImage image;
    image.materials = {{0, 4.0, 30}, {1, 1.0, 70}};
    image.of_cell.resize(100);
    EXPECT_NEAR(wiener_bounds(image).lower, 1.0 / (0.3 / 4.0 + 0.7), 1.0e-15);
    EXPECT_NEAR(wiener_bounds(image).upper, 1.9, 1.0e-15);
    // Maxwell's formulas for coated spheres, as the books give them
    const auto maxwell = [](double matrix, double inside, double fraction) {
        const double beta = (inside - matrix) / (inside + 2.0 * matrix);
        return matrix * (1.0 + 2.0 * fraction * beta) / (1.0 - fraction * beta);
    };
    EXPECT_NEAR(hashin_shtrikman_bounds(image, 3)->lower, maxwell(1.0, 4.0, 0.3), 1.0e-14);
    EXPECT_NEAR(hashin_shtrikman_bounds(image, 3)->upper, maxwell(4.0, 1.0, 0.7), 1.0e-14);
    image.materials[1].conductivity = 0.0;
    EXPECT_EQ(wiener_bounds(image).lower, 0.0);
    EXPECT_EQ(hashin_shtrikman_bounds(image, 3)->lower, 0.0);
    EXPECT_NEAR(hashin_shtrikman_bounds(image, 3)->upper, 4.0 * 2.0 * 0.3 / (3.0 - 0.3), 1.0e-14);
}

TEST(EffectiveBounds, AreCheckedAndWienersBindUs) {
    EffectiveTensor tensor;
    tensor.wiener = {0.5, 2.0};
    tensor.hashin_shtrikman = Bounds{0.9, 1.2};
    EffectiveDirection direction;
    direction.percolates = true;
    direction.coefficient = 1.5;
    direction.inflow = direction.outflow = 1.5;
    tensor.directions = {direction};
    check_bounds(tensor, 1.0e-8);
    EXPECT_FALSE(tensor.bounds_violated);
    ASSERT_EQ(tensor.remarks.size(), 1U);
    EXPECT_NE(tensor.remarks[0].find("Hashin-Shtrikman bounds, 0.9 to 1.2"), std::string::npos);
    tensor.remarks.clear();
    tensor.directions[0].coefficient = 2.0 * (1.0 + 1.0e-7);
    tensor.hashin_shtrikman.reset();
    check_bounds(tensor, 1.0e-8);
    EXPECT_TRUE(tensor.remarks.empty()) << "within the accuracy of the solve";
    tensor.directions[0].coefficient = 2.01;
    check_bounds(tensor, 1.0e-8);
    EXPECT_TRUE(tensor.bounds_violated);
    Report report;
    report.stop = StopReason::converged_rtol;
    report.tensor = tensor;
    EXPECT_EQ(exit_code(report), ExitCode::differs_or_internal);
}

TEST(EffectiveTensor, OutcomeSaysWhyTheExitCodeIsNot0) {
    Report report;
    report.stop = StopReason::converged_rtol;
    EXPECT_EQ(outcome(report), "converged (rtol)");
    report.tensor.emplace();
    report.tensor->fluxes_differ = true;
    EXPECT_EQ(exit_code(report), ExitCode::not_converged);
    EXPECT_EQ(outcome(report), "converged (rtol), flows differ");
    EXPECT_EQ(to_json(report).at("outcome"), "converged (rtol), flows differ");
    EXPECT_EQ(to_text(report, Grid{}).substr(0, 31), "converged (rtol), flows differ:");
}

TEST(EffectiveTensor, SaysWhyThereAreNoBoundsOfHashinAndShtrikman) {
    EffectiveTensor tensor;
    tensor.materials = {{0, 1.0, 0.5, {}}, {1, 0.0, 0.25, {}}, {2, 0.5, 0.25, {}}, {3, 7.0, 0.0, {}}};
    EXPECT_NE(to_text(tensor).find(
                  "no Hashin-Shtrikman bounds, because they need two conductivities and the image has 3\n"),
              std::string::npos);
}

TEST(Report, OneIteration) {
    Report report;
    report.stop = StopReason::converged_rtol;
    report.iterations = 1;
    EXPECT_EQ(to_text(report, Grid{}).substr(0, 34), "converged (rtol) after 1 iteration");
    EXPECT_EQ(to_text(report, Grid{})[34], '\n');
}

}  // namespace
}  // namespace perdure::effective_tensor_test
