#include "solver/output/effective_properties.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

/// 6 x 5 x 4 cells; layer i across `layered_axis` has coefficients[i]; 2 on the lower and 5 on the upper side
/// of `flow_axis`.
Problem layers(int flow_axis, int layered_axis, const std::vector<double> &coefficients) {
    Problem problem;
    problem.grid.dimensions = 3;
    problem.grid.cells = {6, 5, 4};
    problem.grid.spacing = {0.5, 0.25, 2.0};
    problem.a.values.clear();
    for (std::int64_t z = 0; z < 4; ++z) {
        for (std::int64_t y = 0; y < 5; ++y) {
            for (std::int64_t x = 0; x < 6; ++x) {
                problem.a.values.push_back(coefficients[std::array<std::int64_t, 3>{x, y, z}[layered_axis]]);
            }
        }
    }
    problem.sides[2 * flow_axis].kind = problem.sides[2 * flow_axis + 1].kind = SideKind::value;
    problem.sides[2 * flow_axis].values.values = {2.0};
    problem.sides[2 * flow_axis + 1].values.values = {5.0};
    return problem;
}

const std::vector<double> coefficients{1.0, 0.25, 3.0, 10.0, 0.5, 2.0};

TEST(EffectiveProperties, LayersInSeriesConductByTheirHarmonicMean) {
    for (int axis = 0; axis < 3; ++axis) {
        const Problem problem = layers(axis, axis, coefficients);
        const auto found = effective_properties(problem, reference::solve_diffusion(problem).u);
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

// 20 faces of conductance 4 a side, u beside them a quarter of the flow, 1, from 2 and from 5.
TEST(EffectiveProperties, RoundingGrowsByWhatCancels) {
    const Problem problem = layers(0, 0, std::vector<double>(6, 1.0));
    const FieldValues u = reference::solve_diffusion(problem).u;
    const double of_mean = 0.5 * std::hypot(4.0 * 4.75, 4.0 * 2.25) / std::sqrt(20.0);
    const double of_energy = std::hypot(5.0 / 3.0 * 4.0 * 4.75, 2.0 / 3.0 * 4.0 * 2.25) / std::sqrt(20.0);
    EXPECT_NEAR(effective_properties(problem, u)->rounding_grows, of_mean, 1.0e-10);
    EXPECT_NEAR(effective_properties(problem, u, true)->rounding_grows, of_energy, 1.0e-10);
}

TEST(EffectiveProperties, LayersSideBySideConductByTheirMean) {
    const Problem problem = layers(0, 2, coefficients);
    const auto found = effective_properties(problem, reference::solve_diffusion(problem).u);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->coefficient, (1.0 + 0.25 + 3.0 + 10.0) / 4.0, 1.0e-10);
    EXPECT_NEAR(found->tortuosity, 1.0, 1.0e-10);
}

TEST(EffectiveProperties, SolidLayersSideBySideDoNotCount) {
    const Problem problem = layers(0, 2, {1.0, 0.0, 3.0, 0.0});
    const auto found = effective_properties(problem, reference::solve_diffusion(problem).u);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->coefficient, 1.0, 1.0e-10);
    EXPECT_NEAR(found->mean_coefficient, 1.0, 1.0e-15);
}

TEST(EffectiveProperties, ASolidLayerAcrossLetsNothingThrough) {
    const Problem problem = layers(1, 1, {1.0, 1.0, 0.0, 1.0, 1.0});
    const auto found = effective_properties(problem, reference::solve_diffusion(problem).u);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->coefficient, 0.0, 1.0e-14);
    EXPECT_GT(found->tortuosity, 1.0e12);
}

TEST(EffectiveProperties, AreNotGivenWhereTheyHaveNoMeaning) {
    const FieldValues u = std::vector<double>(120, 1.0);
    Problem problem = layers(0, 0, coefficients);
    EXPECT_TRUE(effective_properties(problem, u).has_value());
    problem.f.values = {1.0};
    EXPECT_FALSE(effective_properties(problem, u).has_value());
    problem = layers(0, 0, coefficients);
    problem.sigma.values = {1.0};
    EXPECT_FALSE(effective_properties(problem, u).has_value());
    problem = layers(0, 0, coefficients);
    problem.sides[1].values.values = {2.0};
    EXPECT_FALSE(effective_properties(problem, u).has_value()) << "no difference of values";
    problem = layers(0, 0, coefficients);
    problem.sides[1].kind = SideKind::flux;
    EXPECT_FALSE(effective_properties(problem, u).has_value());
    problem = layers(0, 0, coefficients);
    problem.type = ProblemType::heat;
    EXPECT_FALSE(effective_properties(problem, u).has_value());
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
        EXPECT_TRUE(!differ || tensor.remarks[0].find("flows in and") != std::string::npos)
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
    EXPECT_NE(tensor.remarks[0].find("rounding may change 9.999e-13 by 2.0e-04"), std::string::npos)
        << tensor.remarks[0];
}

}  // namespace
}  // namespace perdure
