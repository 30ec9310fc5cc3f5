#include "solver/problem/active_cells.hpp"

#include <gtest/gtest.h>

#include <random>

#include "solver/reference/excluded_cells.hpp"

namespace perdure::active_cells_test {
namespace {

using Bytes = std::vector<std::uint8_t>;

// One row of cells with the coefficients given; u is held on x-.
Problem row(const std::vector<double> &a) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.cells = {static_cast<std::int64_t>(a.size()), 1, 1};
    problem.only_field().a.values = a;
    problem.only_field().sides[0].kind = SideKind::value;
    return problem;
}

TEST(ActiveCells, LeavesOutSolidAndCutOffCells) {
    const Problem problem = row({1, 1, 0, 1, 0, 1});
    const ActiveCells cells = find_active_cells(problem.grid, problem.only_field());
    EXPECT_EQ(cells.active, (Bytes{1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(cells.excluded, 4);
    EXPECT_FALSE(cells.pinned);
    EXPECT_TRUE(cells.part.empty());
}

TEST(ActiveCells, KeepsCutOffCellsInTime) {
    Problem problem = row({1, 1, 0, 1, 0, 1});
    problem.only_field().in_time = true;
    EXPECT_EQ(find_active_cells(problem.grid, problem.only_field()).active, (Bytes{1, 1, 0, 1, 0, 1}));
}

TEST(ActiveCells, AnchorsByExchangeOnlyWithAPositiveCoefficient) {
    Problem problem = row({1, 1, 0, 1, 0, 1});
    problem.only_field().sides[1].kind = SideKind::exchange;
    EXPECT_EQ(find_active_cells(problem.grid, problem.only_field()).active, (Bytes{1, 1, 0, 0, 0, 0}));
    problem.only_field().sides[1].coefficient.values = {0.5};
    EXPECT_EQ(find_active_cells(problem.grid, problem.only_field()).active, (Bytes{1, 1, 0, 0, 0, 1}));
}

TEST(ActiveCells, AnchorsBySigmaAlsoWhereNothingConducts) {
    Problem problem = row({1, 0, 0, 1, 1, 0});
    problem.only_field().sigma.values = {0, 0, 2, 0, 2, 0};
    EXPECT_EQ(find_active_cells(problem.grid, problem.only_field()).active, (Bytes{1, 0, 1, 1, 1, 0}));
}

TEST(ActiveCells, JoinsAcrossPeriodicSides) {
    Problem problem = row({1, 1, 0, 1, 0, 1});
    problem.only_field().sides[0].kind = problem.only_field().sides[1].kind = SideKind::periodic;
    const ActiveCells cells = find_active_cells(problem.grid, problem.only_field());
    EXPECT_TRUE(cells.pinned);
    EXPECT_EQ(cells.parts, 2);
    EXPECT_EQ(cells.part, (std::vector<std::int32_t>{0, 0, -1, 1, -1, 0}));
    EXPECT_EQ(cells.active, (Bytes{1, 1, 0, 1, 0, 1}));
}

TEST(ActiveCells, JoinsASpiralIntoOnePart) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.cells = {5, 5, 1};
    problem.only_field().a.values = {1, 1, 1, 1, 1,  //
                                     0, 0, 0, 0, 1,  //
                                     1, 1, 1, 0, 1,  //
                                     1, 0, 0, 0, 1,  //
                                     1, 1, 1, 1, 1};
    const ActiveCells cells = find_active_cells(problem.grid, problem.only_field());
    EXPECT_EQ(cells.parts, 1);
    EXPECT_EQ(cells.excluded, 8);
}

Problem random_problem(std::mt19937 &generator) {
    const auto pick = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.dimensions = 2 + pick(2);
    for (int axis = 0; axis < problem.grid.dimensions; ++axis) {
        problem.grid.cells[axis] = 1 + pick(7);
        if (pick(3) == 0) {
            problem.only_field().sides[2 * axis].kind = problem.only_field().sides[2 * axis + 1].kind =
                SideKind::periodic;
            continue;
        }
        for (int side = 2 * axis; side < 2 * axis + 2; ++side) {
            problem.only_field().sides[side].kind =
                std::array{SideKind::flux, SideKind::value, SideKind::exchange}[pick(3)];
            problem.only_field().sides[side].coefficient.values = {static_cast<double>(pick(2))};
        }
    }
    const auto fill = [&](Samples &samples, int one_in) {
        samples.values.resize(static_cast<std::size_t>(problem.grid.count()));
        for (double &value : samples.values) {
            value = pick(one_in) == 0 ? 1.0 : 0.0;
        }
    };
    fill(problem.only_field().a, 2);
    if (pick(3) == 0) {
        fill(problem.only_field().sigma, 40);
    }
    return problem;
}

TEST(ActiveCells, AgreeWithTheGraphOfTheReferenceMatrix) {
    std::mt19937 generator(20261121);
    int pinned = 0;
    for (int repeat = 0; repeat < 2000; ++repeat) {
        const Problem problem = random_problem(generator);
        const ActiveCells cells = find_active_cells(problem.grid, problem.only_field());
        const auto expected = reference::find_unknowns(
            problem.grid, problem.only_field(), reference::assemble(problem.grid, problem.only_field()));
        std::vector<bool> active;
        for (std::int64_t cell = 0; cell < problem.grid.count(); ++cell) {
            active.push_back(cells.is_active(cell));
        }
        ASSERT_EQ(active, expected.keep) << repeat;
        ASSERT_EQ(cells.parts, static_cast<std::int32_t>(expected.floating.size())) << repeat;
        for (std::size_t part = 0; part < expected.floating.size(); ++part) {
            for (const std::int64_t cell : expected.floating[part]) {
                ASSERT_EQ(cells.part_of(cell), static_cast<std::int32_t>(part)) << repeat;
            }
        }
        pinned += cells.pinned ? 1 : 0;
    }
    EXPECT_GT(pinned, 100);
}

}  // namespace
}  // namespace perdure::active_cells_test
