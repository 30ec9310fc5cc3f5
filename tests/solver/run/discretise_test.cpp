#include "solver/run/discretise.hpp"
#include "solver/problem/active_cells.hpp"
#include "solver/run/conductance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "kernels/grid.h"
#include "solver/reference/assemble.hpp"
#include "solver/run/run_memory.hpp"

namespace perdure::discretise_test {
namespace {

TEST(Harmonic, MeanOfTwoCoefficients) {
    EXPECT_EQ(harmonic(0.0, 0.0), 0.0);
    EXPECT_EQ(harmonic(0.0, 5.0), 0.0);
    EXPECT_EQ(harmonic(5.0, 0.0), 0.0);
    EXPECT_DOUBLE_EQ(harmonic(1.0, 3.0), 1.5);
    EXPECT_EQ(harmonic(0.1, 0.1), 0.1);
    EXPECT_DOUBLE_EQ(harmonic(1.0e200, 3.0e200), 1.5e200);
    EXPECT_DOUBLE_EQ(harmonic(1.0e-200, 3.0e-200), 1.5e-200);
}

TEST(SideConductance, HalfACellFromTheSide) {
    Side side;
    EXPECT_EQ(side_conductance(side, 2.0, 0.5, 0), 0.0);
    side.kind = SideKind::periodic;
    EXPECT_EQ(side_conductance(side, 2.0, 0.5, 0), 0.0);
    side.kind = SideKind::value;
    EXPECT_DOUBLE_EQ(side_conductance(side, 2.0, 0.5, 0), 16.0);
    side.kind = SideKind::exchange;
    side.coefficient.values = {4.0, 0.0};
    // h and half a cell in series: 1 / ((1/4 + 0.25/2) 0.5)
    EXPECT_DOUBLE_EQ(side_conductance(side, 2.0, 0.5, 0), 1.0 / (0.375 * 0.5));
    EXPECT_EQ(side_conductance(side, 2.0, 0.5, 1), 0.0);
    EXPECT_EQ(side_conductance(side, 0.0, 0.5, 0), 0.0);
}

TEST(SideInflow, EliminatesTheValueAtTheFaceAsTheReferenceDoes) {
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double coefficient : {0.0, 0.03, 4.0, infinite}) {
        for (const double a : {0.0, 0.5, 2.0}) {
            const FaceCondition condition{-1.5, coefficient, 3.0};
            const double spacing = 0.25;
            const SideInflow inflow = side_inflow(condition, a, spacing);
            const reference::SideRate rate = reference::side_rate(condition, a, spacing);
            EXPECT_DOUBLE_EQ(inflow.conductance, rate.rate) << coefficient << ' ' << a;
            EXPECT_DOUBLE_EQ(inflow.flux_weight, rate.share) << coefficient << ' ' << a;
            const double u = 0.75;
            const double through =
                spacing * (inflow.conductance * (inflow.level - u) + inflow.flux_weight * inflow.flux);
            EXPECT_DOUBLE_EQ(inward_flux(condition, a, spacing, u), through) << coefficient << ' ' << a;
            if (a > 0.0 && !std::isinf(coefficient)) {
                const double at_face = u + through * spacing / (2.0 * a);
                EXPECT_NEAR(through, -1.5 + coefficient * (3.0 - at_face), 1.0e-12);
            }
        }
    }
}

Problem uniform_problem(const std::array<std::int64_t, 3> &cells, int dimensions) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.dimensions = dimensions;
    problem.grid.cells = cells;
    problem.grid.spacing = {0.5, 0.25, 0.125};
    problem.only_field().a.values = {2.0};
    problem.only_field().sigma.values = {0.75};
    problem.only_field().sides[0].kind = SideKind::value;
    problem.only_field().sides[1].kind = SideKind::exchange;
    problem.only_field().sides[1].coefficient.values = {4.0};
    problem.only_field().sides[2].kind = problem.only_field().sides[3].kind = SideKind::periodic;
    problem.only_field().sides[4].kind = SideKind::exchange;
    problem.only_field().sides[4].coefficient.values = {1.0};
    return problem;
}

std::uint32_t place_of(const Problem &problem, std::int64_t index) {
    const auto &n = problem.grid.cells;
    const auto position = [](std::int64_t i, std::int64_t count) {
        return at_side(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(count));
    };
    return table_place(position(index % n[0], n[0]), position(index / n[0] % n[1], n[1]),
                       position(index / (n[0] * n[1]), n[2]));
}

// The tables of a uniform problem hold what the fields of the same problem hold.
TEST(Discretise, TablesAgreeWithFields) {
    for (const std::array<std::int64_t, 3> &cells :
         {std::array<std::int64_t, 3>{1, 7, 1}, {2, 2, 2}, {5, 1, 3}, {4, 3, 5}}) {
        for (const int dimensions : {2, 3}) {
            Problem problem = uniform_problem(cells, dimensions);
            problem.grid.cells[2] = dimensions == 2 ? 1 : cells[2];
            const ActiveCells active = find_active_cells(problem.grid, problem.only_field());
            const Discretisation<double> tables =
                discretise<double>(problem.grid, problem.only_field(), active);
            problem.only_field().a.values.assign(static_cast<std::size_t>(problem.grid.count()), 2.0);
            const Discretisation<double> fields =
                discretise<double>(problem.grid, problem.only_field(), active);
            ASSERT_TRUE(tables.uniform);
            ASSERT_FALSE(fields.uniform);
            EXPECT_EQ(tables.b, fields.b);
            EXPECT_EQ(tables.stable_time_step, fields.stable_time_step);
            for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
                const std::uint32_t place = place_of(problem, i);
                ASSERT_EQ(tables.diagonal[place], fields.diagonal[i]) << "cell " << i;
                ASSERT_EQ(tables.inverse_diagonal[place], fields.inverse_diagonal[i]) << "cell " << i;
            }
            EXPECT_EQ(tables.face[0], std::vector<double>(64, 8.0));
            EXPECT_EQ(tables.face[1], std::vector<double>(64, 32.0));
            EXPECT_EQ(tables.face[2], std::vector<double>(64, dimensions == 3 ? 128.0 : 0.0));
        }
    }
}

TEST(Discretise, TheStableStepIsThatOfTheLargestRow) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.cells = {8, 8, 1};
    problem.grid.spacing = {0.5, 0.5, 1.0};
    problem.only_field().a.values = {2.0};
    problem.only_field().sigma.values = {3.0};
    problem.only_field().in_time = true;
    // a row has the diagonal sigma + 4 a / h^2 = 35 and off it 32
    EXPECT_DOUBLE_EQ(discretise<double>(problem.grid, problem.only_field(),
                                        find_active_cells(problem.grid, problem.only_field()))
                         .stable_time_step,
                     2.0 / 67.0);
    // a cell in the corner of two value sides: diagonal 3 + 2 * 8 + 2 * 16 = 51, off it 16
    problem.only_field().sides[0].kind = problem.only_field().sides[2].kind = SideKind::value;
    EXPECT_DOUBLE_EQ(discretise<double>(problem.grid, problem.only_field(),
                                        find_active_cells(problem.grid, problem.only_field()))
                         .stable_time_step,
                     2.0 / 67.0);
    problem.only_field().a.values = {0.0};
    problem.only_field().sigma.values = {0.0};
    EXPECT_EQ(discretise<double>(problem.grid, problem.only_field(),
                                 find_active_cells(problem.grid, problem.only_field()))
                  .stable_time_step,
              std::numeric_limits<double>::infinity());
}

TEST(Discretise, ExcludedCellsHaveNoCoefficients) {
    Problem problem = uniform_problem({4, 3, 1}, 2);
    problem.only_field().sigma.values = {0.0};
    problem.only_field().a.values.assign(12, 2.0);
    problem.only_field().a.values[5] = 0.0;
    problem.only_field().f.values = {1.0};
    const Discretisation<float> out = discretise<float>(
        problem.grid, problem.only_field(), find_active_cells(problem.grid, problem.only_field()));
    EXPECT_FALSE(out.uniform);
    EXPECT_EQ(out.diagonal[5], 0.0F);
    EXPECT_EQ(out.inverse_diagonal[5], 0.0F);
    EXPECT_EQ(out.b[5], 0.0F);
    EXPECT_EQ(out.face[0][5], 0.0F);
    EXPECT_EQ(out.face[0][6], 0.0F);
    EXPECT_EQ(out.face[1][5], 0.0F);
    EXPECT_EQ(out.face[1][9], 0.0F);
    EXPECT_EQ(out.face[0][7], 8.0F);
}

TEST(Discretise, WithoutLevelsEachPartIsBalanced) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.cells = {5, 4, 1};
    problem.only_field().a.values.assign(20, 1.0);
    for (const int wall : {2, 7, 12, 17}) {
        problem.only_field().a.values[wall] = 0.0;
    }
    std::mt19937 random(1);
    problem.only_field().f.values.resize(20);
    for (double &f : problem.only_field().f.values) {
        f = std::uniform_real_distribution<double>(-1.0, 1.0)(random);
    }
    const ActiveCells active = find_active_cells(problem.grid, problem.only_field());
    ASSERT_TRUE(active.pinned);
    ASSERT_EQ(active.parts, 2);
    const LargeVector<double> b = discretise<double>(problem.grid, problem.only_field(), active).b;
    std::array<double, 2> sum{};
    for (std::size_t i = 0; i < 20; ++i) {
        if (active.part[i] >= 0) {
            sum[active.part[i]] += b[i];
        }
    }
    EXPECT_NEAR(sum[0], 0.0, 1.0e-15);
    EXPECT_NEAR(sum[1], 0.0, 1.0e-15);
    EXPECT_NEAR(b[1] - b[0], problem.only_field().f[1] - problem.only_field().f[0], 1.0e-15);
}

TEST(Discretise, SourcesAndSidesThatShareATimeFactorShareARow) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.only_field().in_time = true;
    problem.grid.cells = {3, 2, 1};
    problem.grid.spacing = {0.5, 0.5, 1.0};
    problem.only_field().a.values = {2.0};
    problem.only_field().f.values = {1.0};
    problem.only_field().f_time_factor = "sin(t)";
    problem.only_field().sides[0].values.values = {3.0};
    problem.only_field().sides[0].time_factor = "t";
    problem.only_field().sides[1].values.values = {5.0};
    problem.only_field().sides[1].time_factor = "sin(t)";
    problem.only_field().sides[2].values.values = {7.0};
    const Discretisation<double> out = discretise<double>(
        problem.grid, problem.only_field(), find_active_cells(problem.grid, problem.only_field()));
    EXPECT_EQ(out.factors, (std::vector<std::string>{"sin(t)", "t"}));
    EXPECT_EQ(out.b, (std::vector<double>{14, 14, 14, 0, 0, 0, 1, 1, 11, 1, 1, 11, 6, 0, 0, 6, 0, 0}));
}

TEST(Discretise, FieldsOfAProblemShareTheirFactorsAndAreAllUniformOrNone) {
    Problem problem;
    problem.grid.cells = {3, 2, 1};
    for (const char *const name : {"u", "w"}) {
        Field &field = problem.fields.emplace_back();
        field.name = name;
        field.in_time = true;
        field.a.values = {2.0};
        field.cells_of = problem.fields.size() - 1;
    }
    problem.fields[0].f.values = {1.0};
    problem.fields[1].f.values = {4.0};
    problem.fields[1].f_time_factor = "sin(t)";
    std::vector<Discretisation<double>> both = discretise<double>(problem, find_active_cells(problem));
    ASSERT_EQ(both.size(), 2U);
    for (const Discretisation<double> &field : both) {
        EXPECT_TRUE(field.uniform);
        EXPECT_EQ(field.factors, std::vector<std::string>{"sin(t)"});
        EXPECT_EQ(field.b.size(), 12U) << "constant and scaled, of each cell";
    }
    EXPECT_EQ(both[0].b[0], 1.0);
    EXPECT_EQ(both[0].b[6], 0.0);
    EXPECT_EQ(both[1].b[0], 0.0);
    EXPECT_EQ(both[1].b[6], 4.0);
    problem.fields[1].a.values = {2.0, 2.0, 2.0, 2.0, 2.0, 0.0};
    const std::vector<ActiveCells> cells = find_active_cells(problem);
    EXPECT_EQ(cells[0].excluded, 0);
    EXPECT_EQ(cells[1].excluded, 1);
    EXPECT_EQ(count_excluded(cells), 0) << "the cell is solid in one field alone";
    both = discretise<double>(problem, cells);
    EXPECT_FALSE(both[0].uniform);
    EXPECT_EQ(both[0].diagonal.size(), 6U);
    problem.fields[0].cells_of = 1;
    EXPECT_EQ(count_excluded(find_active_cells(problem)), 1) << "a field in the cells of the other";
}

TEST(Discretise, ValuesThatThePrecisionCannotHoldAreRefused) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.cells = {4, 4, 1};
    problem.only_field().sides[0].kind = SideKind::value;
    problem.only_field().a.values = {1.0};
    const auto refused = [&](auto real) {
        try {
            (void)discretise<decltype(real)>(problem.grid, problem.only_field(),
                                             find_active_cells(problem.grid, problem.only_field()));
        } catch (const Failure &failure) {
            return failure.code() == ExitCode::bad_input;
        }
        return false;
    };
    EXPECT_FALSE(refused(0.0));
    problem.only_field().f.values = {1.0e200};
    EXPECT_TRUE(refused(0.0));
    problem.only_field().f.values = {1.0e-170};
    EXPECT_TRUE(refused(0.0));
    problem.only_field().f.values = {1.0e-151};  // a residual of 1e-8 of it has no square
    EXPECT_TRUE(refused(0.0));
    problem.only_field().f.values = {1.0e-120};
    EXPECT_FALSE(refused(0.0));
    problem.only_field().f.values = {1.0e-50};
    EXPECT_FALSE(refused(0.0));
    EXPECT_TRUE(refused(0.0F));
    problem.only_field().f.values = {0.0};
    problem.only_field().a.values = {1.0e39};
    EXPECT_TRUE(refused(0.0F));
    problem.only_field().a.values = {1.0e-50};
    EXPECT_TRUE(refused(0.0F));
}

}  // namespace
}  // namespace perdure::discretise_test
