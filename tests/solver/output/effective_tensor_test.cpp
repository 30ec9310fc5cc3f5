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
    image.of_cell = std::vector<std::uint8_t>(100);
    EXPECT_NEAR(wiener_bounds(image, 0).lower, 1.0 / (0.3 / 4.0 + 0.7), 1.0e-15);
    EXPECT_NEAR(wiener_bounds(image, 0).upper, 1.9, 1.0e-15);
    // Maxwell's formulas for coated spheres, as the books give them
    const auto maxwell = [](double matrix, double inside, double fraction) {
        const double beta = (inside - matrix) / (inside + 2.0 * matrix);
        return matrix * (1.0 + 2.0 * fraction * beta) / (1.0 - fraction * beta);
    };
    EXPECT_NEAR(hashin_shtrikman_bounds(image, 3)->lower, maxwell(1.0, 4.0, 0.3), 1.0e-14);
    EXPECT_NEAR(hashin_shtrikman_bounds(image, 3)->upper, maxwell(4.0, 1.0, 0.7), 1.0e-14);
    image.materials[1].conductivity = 0.0;
    EXPECT_EQ(wiener_bounds(image, 0).lower, 0.0);
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
    tensor.hashin_shtrikman = tensor.wiener;
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

/// Formulas of Hashin and Shtrikman with their A and alpha, which the program's are rearranged from.
TEST(EffectiveBounds, OfThreeMaterialsInTwoAndThreeDimensions) {
    const std::vector<double> values{1.0, 3.0, 8.0}, fractions{0.5, 0.3, 0.2};
    MaterialImage image;
    image.materials = {{0, 8.0, 20}, {1, 1.0, 50}, {2, 3.0, 30}, {3, 0.0, 0}};
    image.of_cell = std::vector<std::uint8_t>(100);
    for (const int d : {2, 3}) {
        const auto published = [&](double end) {
            double a = 0.0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                a += values[i] == end ? 0.0 : fractions[i] / (1.0 / (values[i] - end) + 1.0 / (d * end));
            }
            return end + a / (1.0 - a / (d * end));
        };
        const Bounds found = *hashin_shtrikman_bounds(image, d);
        EXPECT_NEAR(found.lower, published(1.0), 1.0e-14);
        EXPECT_NEAR(found.upper, published(8.0), 1.0e-14);
        EXPECT_GT(found.lower, wiener_bounds(image, 0).lower);
        EXPECT_LT(found.upper, wiener_bounds(image, 0).upper);
    }
    image.materials = {{0, 2.0, 50}, {1, 3.0, 50, std::array{1.0, 2.0, 6.0}}};
    EXPECT_FALSE(hashin_shtrikman_bounds(image, 3));
    EXPECT_NEAR(wiener_bounds(image, 2).upper, 4.0, 1.0e-15);
    EXPECT_NEAR(wiener_bounds(image, 0).lower, 4.0 / 3.0, 1.0e-15);
    image.materials = {{0, 2.0, 100}};
    EXPECT_NEAR(hashin_shtrikman_bounds(image, 3)->lower, 2.0, 1.0e-15);
    EXPECT_NEAR(hashin_shtrikman_bounds(image, 3)->upper, 2.0, 1.0e-15);
}

TEST(EffectiveTensor, EstimatesDigitsWhereThereAreNoBounds) {
    EffectiveTensor tensor;
    EffectiveDirection direction;
    direction.percolates = true;
    direction.plane_spread = 2.0e-3;
    EXPECT_EQ(direction.digits(), 5);
    tensor.directions = {direction};
    EXPECT_NE(to_text(tensor).find("energy x   about 5 digits of the coefficient, estimated from what flows"),
              std::string::npos);
    direction.rounding = 2.0e-3;
    EXPECT_EQ(direction.digits(), 2);
    direction.bounds = Bounds{0.9999999, 1.0};
    EXPECT_EQ(direction.digits(), 7) << "certain, whatever is estimated";
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
