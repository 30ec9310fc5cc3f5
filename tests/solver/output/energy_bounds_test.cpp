// Bounds of effective coefficients from fields that are not yet the solution, against Eigen's answer.
#include "solver/output/energy_bounds.hpp"

#include <gtest/gtest.h>

#include <Eigen/IterativeLinearSolvers>
#include <cmath>
#include <limits>
#include <random>

#include "solver/output/effective_properties.hpp"
#include "solver/reference/assemble.hpp"
#include "solver/reference/reference.hpp"

namespace perdure::energy_bounds_test {
namespace {

enum class Around { insulated, periodic, periodic_cell };

/// Blocks of random materials, some of them solid, between sides of 3 and 1 along `axis`; periodic beside them or closed. In a periodic
/// cell a fall of 1 from one period to the next.
Problem random_problem(std::array<std::int64_t, 3> cells, double contrast, int axis, Around around,
                       unsigned seed) {
    std::mt19937 generator(seed);
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.dimensions = cells[2] > 1 ? 3 : 2;
    problem.grid.cells = cells;
    problem.grid.spacing = {0.5, 0.25, 2.0};
    std::vector<double> of_block(64);
    for (double &a : of_block) {
        const auto draw = generator() % 10;
        a = draw < 2 ? 0.0 : draw < 6 ? 1.0 : draw < 9 ? 1.0 / contrast : 0.3;
    }
    problem.only_field().a.values.clear();
    for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
        const std::int64_t x = i % cells[0], y = i / cells[0] % cells[1], z = i / cells[0] / cells[1];
        problem.only_field().a.values.push_back(of_block[(x / 3 + 5 * (y / 3) + 11 * (z / 2)) % 64]);
    }
    for (int side = 0; side < 6; ++side) {
        problem.only_field().sides[side].kind =
            around == Around::insulated ? SideKind::flux : SideKind::periodic;
    }
    if (around == Around::periodic_cell) {
        problem.only_field().falls_along = axis;
        return problem;
    }
    problem.only_field().sides[2 * axis].kind = problem.only_field().sides[2 * axis + 1].kind =
        SideKind::value;
    problem.only_field().sides[2 * axis].values.values = {3.0};
    problem.only_field().sides[2 * axis + 1].values.values = {1.0};
    return problem;
}

/// What conjugate gradients have found when the residual is rtol of b; NaN where the exact field is.
std::vector<double> early_field(const Problem &problem, const std::vector<double> &exact, double rtol) {
    const reference::Equations all = reference::assemble(problem.grid, problem.only_field());
    std::vector<bool> keep;
    for (const std::int64_t cell : all.cells) {
        keep.push_back(!std::isnan(exact[cell]));
    }
    const reference::Equations equations = reference::restrict_to(all, keep);
    Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> solver(
        equations.matrix);
    solver.setTolerance(rtol);
    const Eigen::VectorXd u = solver.solve(equations.sources.at(""));
    std::vector<double> field(exact.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < equations.cells.size(); ++i) {
        field[equations.cells[i]] = u[static_cast<Eigen::Index>(i)];
    }
    return field;
}

/// Of the flow into and out of the exact field; no part of it is made by the bounds.
double exact_coefficient(const Problem &problem, const std::vector<double> &exact, int axis) {
    const EffectiveProperties found = *effective_properties(problem.grid, problem.only_field(), exact);
    return 0.5 * (found.inflow + found.outflow) * problem.grid.spacing[axis] *
           static_cast<double>(problem.grid.cells[axis]) / *fall_along(problem.only_field(), axis);
}

TEST(EnergyBounds, HoldTheTrueCoefficientAtEveryTolerance) {
    std::array<int, 3> bounded{};
    for (unsigned seed = 0; seed < 36; ++seed) {
        const double contrast = seed % 2 == 0 ? 1.0e4 : 1.0e6;
        const bool flat = seed % 3 == 0;
        const int axis = static_cast<int>(seed / 2 % (flat ? 2 : 3));
        const std::array<std::int64_t, 3> cells =
            flat ? std::array<std::int64_t, 3>{31, 26, 1} : std::array<std::int64_t, 3>{13, 12, 10};
        const auto around = static_cast<Around>(seed / 4 % 3);
        const Problem problem = random_problem(cells, contrast, axis, around, seed);
        const std::vector<double> exact =
            reference::solve_diffusion(problem.grid, problem.only_field()).values;
        const double expected = exact_coefficient(problem, exact, axis);
        if (!(expected > 1.0e-9)) {  // rounding, where nothing leads from period to period
            continue;
        }
        double before = std::numeric_limits<double>::infinity();
        for (const double rtol : {1.0e-2, 1.0e-4, 1.0e-6, 1.0e-8, 1.0e-12}) {
            const auto bounds =
                energy_bounds(problem.grid, problem.only_field(), axis, early_field(problem, exact, rtol));
            ASSERT_TRUE(bounds) << seed;
            // Of the exact field, at such contrasts; u beside the faces of a periodic cell differs by the jump and little else.
            const double slack = (around == Around::periodic_cell ? 1.0e-8 : 1.0e-9) * expected;
            EXPECT_LE(bounds->lower, expected + slack) << seed << ", " << rtol;
            EXPECT_GE(bounds->upper, expected - slack) << seed << ", " << rtol;
            EXPECT_LT(bounds->upper - bounds->lower, 10.0 * before) << seed << ", " << rtol;
            before = bounds->upper - bounds->lower;
        }
        EXPECT_LT(before, 1.0e-7 * expected) << seed;
        ++bounded[static_cast<std::size_t>(around)];
    }
    for (const int count : bounded) {
        EXPECT_GE(count, 6);
    }
}

TEST(EnergyBounds, AreNotGivenForOtherProblems) {
    const Problem good = random_problem({6, 6, 1}, 10.0, 0, Around::insulated, 3);
    const std::vector<double> u = reference::solve_diffusion(good.grid, good.only_field()).values;
    ASSERT_TRUE(energy_bounds(good.grid, good.only_field(), 0, u));
    EXPECT_FALSE(energy_bounds(good.grid, good.only_field(), 1, u)) << "its sides hold no values";
    Problem other = good;
    other.only_field().sigma.values = {1.0};
    EXPECT_FALSE(energy_bounds(other.grid, other.only_field(), 0, u));
    other = good;
    other.only_field().sides[2].values.values = {0.5};
    EXPECT_FALSE(energy_bounds(other.grid, other.only_field(), 0, u))
        << "something flows in through a side along the direction";
    std::vector<double> damaged = u;
    *std::find_if(damaged.begin(), damaged.end(), [](double value) { return !std::isnan(value); }) =
        std::numeric_limits<double>::infinity();
    EXPECT_FALSE(energy_bounds(good.grid, good.only_field(), 0, damaged));
}

TEST(EnergyBounds, SayHowManyDigitsAreCertain) {
    EXPECT_EQ(certain_digits({0.424068800, 0.424068840}), 7);
    EXPECT_EQ(certain_digits({1.0, 1.0}), 12);
    EXPECT_EQ(certain_digits({-1.0, 1.0}), 0);
    EXPECT_EQ(to_text(Bounds{0.42406880123, 0.42406884123}),
              "bounds guarantee 7 digits of the coefficient on this grid: it lies between 0.424068801 and "
              "0.424068842");
}

TEST(EnergyBounds, MoveACoefficientThatTheyExclude) {
    const Problem problem = random_problem({12, 9, 1}, 1.0e4, 0, Around::insulated, 7);
    const std::vector<double> exact = reference::solve_diffusion(problem.grid, problem.only_field()).values;
    const EffectiveProperties found =
        *effective_properties(problem.grid, problem.only_field(), early_field(problem, exact, 1.0e-2));
    ASSERT_TRUE(found.bounds);
    EXPECT_GE(found.coefficient, found.bounds->lower);
    EXPECT_LE(found.coefficient, found.bounds->upper);
}

}  // namespace
}  // namespace perdure::energy_bounds_test
