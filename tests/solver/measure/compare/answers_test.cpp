// Answers that need not be the same bits.
#include <cmath>

#include <gtest/gtest.h>

#include "solver/measure/compare/timed_run.hpp"

namespace perdure::compare::answers_test {
namespace {

TEST(Answers, MayDifferByABoundWhereTheArithmeticDoes) {
    Answer<double> phases;
    phases.fields = {{"u", {3.0, 4.0, 0.0}}};
    phases.state.solve.iteration = 50;
    phases.state.solve.residual = 1.0e-3;
    Answer<double> found = phases;
    EXPECT_EQ(difference_beyond_bound(found, phases, "phases"), "");
    found.fields[0].values[2] = 4.0e-6;
    found.state.solve.residual = 1.9e-3;
    EXPECT_EQ(difference_beyond_bound(found, phases, "phases"), "");
    found.fields[0].values[2] = 6.0e-6;
    EXPECT_EQ(difference_beyond_bound(found, phases, "phases"),
              "field u differs by 1.2e-06 of its norm from the field by phases; the bound is 1e-06");
    found.fields[0].values[2] = std::nan("");
    EXPECT_NE(difference_beyond_bound(found, phases, "phases"), "");
    found.fields[0].values[2] = 0.0;
    found.state.solve.residual = 2.1e-3;
    EXPECT_EQ(difference_beyond_bound(found, phases, "phases"),
              "true residual 0.0021 after 50 iterations instead of 0.001 by phases");
    found.state.solve.iteration = 49;
    EXPECT_NE(difference_beyond_bound(found, phases, "phases").find("it ended after 49 iterations"),
              std::string::npos);
    const std::vector<double> zeros(3, 0.0);
    found = phases;
    found.fields[0].values = zeros;
    phases.fields[0].values = zeros;
    EXPECT_EQ(difference_beyond_bound(found, phases, "phases"), "");
}

}  // namespace
}  // namespace perdure::compare::answers_test
