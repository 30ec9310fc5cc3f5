#include "solver/output/effective_properties.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/image_question.h"
#include "solver/reference/reference.hpp"

namespace perdure::effective_properties_test {
namespace {

/// 6 x 5 x 4 cells; layer i across `layered_axis` has coefficients[i]; 2 on the lower and 5 on the upper side
/// of `flow_axis`.
Problem layers(int flow_axis, int layered_axis, const std::vector<double> &coefficients) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.dimensions = 3;
    problem.grid.cells = {6, 5, 4};
    problem.grid.spacing = {0.5, 0.25, 2.0};
    problem.only_field().a.values.clear();
    for (std::int64_t z = 0; z < 4; ++z) {
        for (std::int64_t y = 0; y < 5; ++y) {
            for (std::int64_t x = 0; x < 6; ++x) {
                problem.only_field().a.values.push_back(
                    coefficients[std::array<std::int64_t, 3>{x, y, z}[layered_axis]]);
            }
        }
    }
    problem.only_field().sides[2 * flow_axis].kind = problem.only_field().sides[2 * flow_axis + 1].kind =
        SideKind::value;
    problem.only_field().sides[2 * flow_axis].values.values = {2.0};
    problem.only_field().sides[2 * flow_axis + 1].values.values = {5.0};
    return problem;
}

const std::vector<double> coefficients{1.0, 0.25, 3.0, 10.0, 0.5, 2.0};

TEST(EffectiveProperties, LayersInSeriesConductByTheirHarmonicMean) {
    for (int axis = 0; axis < 3; ++axis) {
        const Problem problem = layers(axis, axis, coefficients);
        const auto found =
            effective_properties(problem.grid, problem.only_field(),
                                 reference::solve_diffusion(problem.grid, problem.only_field()).values);
        const auto n = static_cast<std::size_t>(problem.grid.cells[axis]);
        double resistance = 0.0;
        double sum = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            resistance += 1.0 / coefficients[i];
            sum += coefficients[i];
        }
        const double expected = static_cast<double>(n) / resistance;
        const double mean = sum / static_cast<double>(n);
        const double length = problem.grid.spacing[axis] * static_cast<double>(n);
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(found->axis, axis);
        EXPECT_NEAR(found->coefficient, expected, 1.0e-10 * expected);
        EXPECT_NEAR(found->inflow, expected * 3.0 / length, 1.0e-10 * found->inflow);
        EXPECT_NEAR(found->outflow, found->inflow, 1.0e-10 * found->inflow);
        EXPECT_NEAR(found->mean_coefficient, mean, 1.0e-14 * mean);
        EXPECT_NEAR(found->tortuosity, mean / expected, 1.0e-10 * mean / expected);
    }
}

// Sums of kernels/plane_flow.h by hand: one row of cells, a = 1, h = 1/2, u falls from 1 at the lower side.
TEST(EffectiveProperties, OfPlanesAreThoseOfTheEnergy) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.cells = {2, 1, 1};
    problem.grid.spacing = {0.5, 0.5, 0.5};
    problem.only_field().a.values = {1.0};
    problem.only_field().sides[0].kind = problem.only_field().sides[1].kind = SideKind::value;
    problem.only_field().sides[0].values.values = {1.0};
    const std::array<double, 3> t{8.0, 4.0, 8.0};
    for (const double error : {0.0, 0.1}) {
        const std::array<double, 4> u{1.0, 0.75 + error, 0.25, 0.0};
        std::vector<double> sums(PLANE_SUMS * 3 * PLANE_PARTS, 0.0);
        for (std::size_t k = 0; k < 3; ++k) {
            const double fall = u[k] - u[k + 1];
            const double squares = u[k] * u[k] + u[k + 1] * u[k + 1];
            const std::array<double, PLANE_SUMS> values{t[k] * fall, t[k] * t[k] * squares,
                                                        t[k] * fall * fall, t[k] * squares};
            for (std::size_t row = 0; row < PLANE_SUMS; ++row) {
                sums[(row * 3 + k) * PLANE_PARTS + 2] = 0.25 * values[row];
                sums[(row * 3 + k) * PLANE_PARTS + 60] = 0.75 * values[row];
            }
        }
        const EffectiveProperties found =
            effective_properties(problem.grid, problem.only_field(), 0, sums, 1.0e-3);
        const double energy = 0.5 * 0.5 * 2.0 * (2.0 + (8.0 + 4.0) * error * error);
        EXPECT_NEAR(found.coefficient, energy, 1.0e-14) << "1 and the square of the error";
        EXPECT_NEAR(found.inflow, 1.0 - 4.0 * error, 1.0e-14);
        EXPECT_NEAR(found.outflow, 1.0, 1.0e-14);
        EXPECT_NEAR(found.tortuosity, 1.0 / energy, 1.0e-14);
        EXPECT_NEAR(found.plane_spread, error == 0.0 ? 0.0 : 1.0 - 0.6 / energy, 1.0e-14);
        const double noise =
            8.0 * (u[0] * u[0] + u[1] * u[1]) + 4.0 * (u[1] * u[1] + u[2] * u[2]) + 8.0 * u[2] * u[2];
        EXPECT_NEAR(found.rounding, 1.0e-6 * noise / (2.0 * energy), 1.0e-14);
        EXPECT_NEAR(found.plane_noise, 1.0e-3 * 8.0 * std::hypot(u[0], u[1]) / (2.0 * energy), 1.0e-14);
    }
}

TEST(EffectiveProperties, LayersSideBySideConductByTheirMean) {
    const Problem problem = layers(0, 2, coefficients);
    const auto found =
        effective_properties(problem.grid, problem.only_field(),
                             reference::solve_diffusion(problem.grid, problem.only_field()).values);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->coefficient, (1.0 + 0.25 + 3.0 + 10.0) / 4.0, 1.0e-10);
    EXPECT_NEAR(found->tortuosity, 1.0, 1.0e-10);
}

TEST(EffectiveProperties, SolidLayersSideBySideDoNotCount) {
    const Problem problem = layers(0, 2, {1.0, 0.0, 3.0, 0.0});
    const auto found =
        effective_properties(problem.grid, problem.only_field(),
                             reference::solve_diffusion(problem.grid, problem.only_field()).values);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->coefficient, 1.0, 1.0e-10);
    EXPECT_NEAR(found->mean_coefficient, 1.0, 1.0e-15);
}

TEST(EffectiveProperties, ASolidLayerAcrossLetsNothingThrough) {
    const Problem problem = layers(1, 1, {1.0, 1.0, 0.0, 1.0, 1.0});
    const auto found =
        effective_properties(problem.grid, problem.only_field(),
                             reference::solve_diffusion(problem.grid, problem.only_field()).values);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->coefficient, 0.0, 1.0e-14);
    EXPECT_GT(found->tortuosity, 1.0e12);
}

TEST(EffectiveProperties, AreNotGivenWhereTheyHaveNoMeaning) {
    const FieldValues u = std::vector<double>(120, 1.0);
    Problem problem = layers(0, 0, coefficients);
    EXPECT_TRUE(effective_properties(problem.grid, problem.only_field(), u).has_value());
    problem.only_field().f.values = {1.0};
    EXPECT_FALSE(effective_properties(problem.grid, problem.only_field(), u).has_value());
    problem = layers(0, 0, coefficients);
    problem.only_field().sigma.values = {1.0};
    EXPECT_FALSE(effective_properties(problem.grid, problem.only_field(), u).has_value());
    problem = layers(0, 0, coefficients);
    problem.only_field().sides[1].values.values = {2.0};
    EXPECT_FALSE(effective_properties(problem.grid, problem.only_field(), u).has_value())
        << "no difference of values";
    problem = layers(0, 0, coefficients);
    problem.only_field().sides[1].kind = SideKind::flux;
    EXPECT_FALSE(effective_properties(problem.grid, problem.only_field(), u).has_value());
    problem = layers(0, 0, coefficients);
    problem.only_field().in_time = true;
    EXPECT_FALSE(effective_properties(problem.grid, problem.only_field(), u).has_value());
}

// What flows in may flow out while some of it is lost between, and found again.
TEST(EffectiveTensor, PlanesThatDifferAreNoAnswer) {
    Report report;
    report.stop = StopReason::converged_rtol;
    report.tensor.emplace();
    EffectiveTensor &tensor = *report.tensor;
    tensor.wiener = {0.0, 1.0};
    EffectiveDirection direction;
    direction.percolates = true;
    direction.stop = StopReason::converged_rtol;
    direction.inflow = direction.outflow = direction.coefficient = 0.25;
    const auto remark = [&](double spread, double noise) {
        direction.plane_spread = spread;
        direction.plane_noise = noise;
        tensor.directions = {direction};
        tensor.remarks.clear();
        tensor.fluxes_differ = false;
        check_bounds(tensor, 1.0e-5);
        return tensor.remarks.empty() ? std::string() : tensor.remarks.at(0);
    };
    EXPECT_EQ(remark(0.09, 0.0), "");
    EXPECT_EQ(exit_code(report), ExitCode::success);
    EXPECT_NE(remark(8.0, 0.1).find("differs by up to 800 % of the flow"), std::string::npos);
    EXPECT_EQ(exit_code(report), ExitCode::not_converged);
    EXPECT_NE(remark(8.0, 3.0).find("rounding of u hides"), std::string::npos);
    EXPECT_EQ(exit_code(report), ExitCode::success);
}

// A residual can be small while what flows in does not flow out: at great contrasts.
TEST(EffectiveTensor, FluxesThatDifferAreNoAnswer) {
    Report report;
    report.stop = StopReason::converged_rtol;
    report.tensor.emplace();
    report.tensor->wiener = {0.0, 1.0};
    EffectiveDirection direction;
    direction.percolates = true;
    direction.stop = StopReason::converged_rtol;
    direction.inflow = 0.5;
    for (const double outflow : {0.496, 0.49, 0.0}) {
        direction.outflow = outflow;
        direction.coefficient = 0.5 * (direction.inflow + outflow);
        EffectiveTensor &tensor = *report.tensor;
        tensor.directions = {direction};
        tensor.remarks.clear();
        tensor.fluxes_differ = false;
        check_bounds(tensor, 1.0e-8);
        const bool differ = outflow < 0.495;
        EXPECT_EQ(tensor.fluxes_differ, differ) << outflow;
        EXPECT_EQ(exit_code(report), differ ? ExitCode::not_converged : ExitCode::success) << outflow;
        ASSERT_EQ(tensor.remarks.size(), differ ? 1 : 0);
        EXPECT_TRUE(!differ || tensor.remarks[0].find("the inflow") != std::string::npos)
            << tensor.remarks[0];
    }
}

// At a contrast of 1e12 what flows in is a difference of sixteen digits that agree in twelve.
TEST(EffectiveTensor, LossOfDigitsIsSaid) {
    EffectiveTensor tensor;
    tensor.wiener = {1.0e-12, 1.0};
    EffectiveDirection direction;
    direction.percolates = true;
    direction.stop = StopReason::converged_rtol;
    direction.inflow = direction.outflow = direction.coefficient = 0.9999e-12;
    direction.rounding = 1.0e-9;
    tensor.directions = {direction};
    check_bounds(tensor, 1.0e-8);
    EXPECT_TRUE(tensor.bounds_violated) << "rounding is no excuse";
    tensor.remarks.clear();
    tensor.bounds_violated = false;
    tensor.directions[0].rounding = 2.0e-4;
    check_bounds(tensor, 1.0e-8);
    EXPECT_FALSE(tensor.bounds_violated);
    ASSERT_EQ(tensor.remarks.size(), 1U);
    EXPECT_NE(tensor.remarks[0].find("rounding may change 9.999e-13 by a fraction of 2.0e-04"),
              std::string::npos)
        << tensor.remarks[0];
}

}  // namespace
}  // namespace perdure::effective_properties_test
