// Norms of the error against an exact solution.
#include "solver/output/error_norms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace perdure::error_norms_test {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// 100 x 90 cells of 0.5 x 0.25: several chunks.
Grid grid_of_chunks() {
    Grid grid;
    grid.dimensions = 2;
    grid.cells = {100, 90, 1};
    grid.spacing = {0.5, 0.25, 1.0};
    return grid;
}

/// u = 3 x + t everywhere, with t = 2.
FieldResult field_on(const Grid &grid) {
    LargeVector<double> values(static_cast<std::size_t>(grid.count()));
    for (std::int64_t i = 0; i < grid.count(); ++i) {
        values[i] = 3.0 * (static_cast<double>(i % grid.cells[0]) + 0.5) * grid.spacing[0] + 2.0;
    }
    return {"u", std::move(values)};
}

TEST(ErrorNorms, AreSumsOverTheBox) {
    const Grid grid = grid_of_chunks();
    const ErrorNorms norms = error_norms({"3*x + 2*t - 0.5", {}}, grid, {}, field_on(grid), 2.0);
    const double area = 50.0 * 22.5, error = 1.5;  // 4 - 0.5 in place of 2
    EXPECT_EQ(norms.field, "u");
    EXPECT_NEAR(norms.l1, error * area, 1.0e-10 * area);
    EXPECT_NEAR(norms.l2, error * std::sqrt(area), 1.0e-10 * area);
    EXPECT_NEAR(norms.max, error, 1.0e-12);
    EXPECT_EQ(norms.time, 2.0);
}

TEST(ErrorNorms, LeaveOutCellsThatTakeNoPart) {
    const Grid grid = grid_of_chunks();
    FieldResult u = field_on(grid);
    auto &values = std::get<LargeVector<double>>(u.values);
    ActiveCells cells;
    cells.active.assign(values.size(), 1);
    cells.active[4321] = 0;
    values[4321] = not_a_number;
    values[8000] += 7.0;
    const ErrorNorms norms = error_norms({"3*x + 2", {}}, grid, cells, u, std::nullopt);
    EXPECT_NEAR(norms.max, 7.0, 1.0e-12);
    EXPECT_NEAR(norms.l1, 7.0 * 0.125, 1.0e-9);
    EXPECT_NEAR(norms.l2, 7.0 * std::sqrt(0.125), 1.0e-9);
}

TEST(ErrorNorms, OfAFieldThatIsNotFiniteAreNot) {
    const Grid grid = grid_of_chunks();
    FieldResult u = field_on(grid);
    std::get<LargeVector<double>>(u.values)[100] = not_a_number;
    const ErrorNorms norms = error_norms({"x", {}}, grid, {}, u, std::nullopt);
    EXPECT_TRUE(std::isnan(norms.l1) && std::isnan(norms.l2) && std::isnan(norms.max));
}

}  // namespace
}  // namespace perdure::error_norms_test
