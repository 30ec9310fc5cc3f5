// The column of a tensor against the fluxes of a field.
#include "solver/reference/compare_column.hpp"

#include <gtest/gtest.h>

#include "solver/reference/reference.hpp"

namespace perdure::compare_column_test {
namespace {

/// 2 x 3 cells of a = 1 and 3 in layers along y: u falls from 5 to 2 along y, and the coefficient is 3 / (1 + 1 + 1/3).
Problem layers() {
    Problem problem;
    problem.grid.dimensions = 2;
    problem.grid.cells = {2, 3, 1};
    problem.grid.spacing = {0.5, 0.25, 1.0};
    Field &field = problem.fields.emplace_back();
    field.name = "u";
    field.a.values = {1.0, 1.0, 3.0, 3.0, 1.0, 1.0};
    field.sides[2].kind = field.sides[3].kind = SideKind::value;
    field.sides[2].values.values = {5.0};
    field.sides[3].values.values = {2.0};
    return problem;
}

TEST(CompareColumn, FluxesOfTheFieldAreComparedWithThoseOfTheRun) {
    Problem problem = layers();
    const double coefficient = 9.0 / 7.0;
    for (const bool upwards : {true, false}) {
        const FieldValues u(reference::solve_diffusion(problem.grid, problem.only_field()).values);
        const auto difference = [&](double along, double across, bool periodic) {
            EffectiveProperties found;
            found.axis = 1;
            found.coefficient = along;
            found.mean_flux = {across, along, 0.0};
            return difference_of_column(problem.grid, problem.only_field(), u, found, periodic);
        };
        EXPECT_LT(difference(coefficient, 0.0, true), 1.0e-12) << upwards;
        EXPECT_NEAR(difference(1.25 * coefficient, 0.0, true), 0.2, 1.0e-12);
        EXPECT_NEAR(difference(coefficient, -0.5 * coefficient, true), 0.5, 1.0e-12);
        EXPECT_LT(difference(coefficient, -0.5 * coefficient, false), 1.0e-12) << "no entry of a tensor";
        std::swap(problem.only_field().sides[2].values.values, problem.only_field().sides[3].values.values);
    }
}

}  // namespace
}  // namespace perdure::compare_column_test
