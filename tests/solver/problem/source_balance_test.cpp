#include <gtest/gtest.h>

#include <string>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/problem.hpp"

namespace perdure::source_balance_test {
namespace {

ValueSource expression(const std::string &text) {
    ValueSource source;
    source.kind = ValueSource::Kind::expression;
    source.expression = text;
    return source;
}

// 6 x 2 cells of 1 x 0.5: x < 2 and x > 4 conduct, two solid columns lie between them. u = 0 on x-.
Config two_islands() {
    Config config;
    config.path = "case.yaml";
    config.grid.cells = {6, 2, 1};
    config.grid.spacing = {1.0, 0.5, 1.0};
    config.a = expression("x < 2 || x > 4");
    config.sides[0].kind = SideKind::value;
    return config;
}

std::string failure_of(const Config &config) {
    try {
        make_problem(config);
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::bad_input);
        std::string text;
        for (const Diagnostic &diagnostic : failure.diagnostics()) {
            text += diagnostic.message + "\n";
        }
        return text;
    }
    return "no failure";
}

TEST(SourceBalance, SourcesInActiveCellsAreFine) {
    Config config = two_islands();
    config.f = expression("x < 2 ? 3 : 0");
    EXPECT_EQ(failure_of(config), "no failure");
}

TEST(SourceBalance, RefusesASourceInASolidCell) {
    Config config = two_islands();
    config.f = expression("x > 3 && x < 4 ? 2 : 0");
    EXPECT_EQ(
        failure_of(config),
        "source in a solid cell: 1 (f times volume plus flux times area) at cell [y, x] = [0, 3], where a = "
        "sigma = 0, so that nothing can balance it; 2 solid cells have a source; set f and flux to 0 there, "
        "or a above 0, or leave them out with problem.sources_in_solids: ignore\n");
}

TEST(SourceBalance, RefusesAFluxIntoASolidCell) {
    Config config = two_islands();
    config.sides[3].values = expression("x > 2 && x < 3 ? 7 : 0");
    EXPECT_EQ(
        failure_of(config),
        "source in a solid cell: 7 (f times volume plus flux times area) at cell [y, x] = [1, 2], where a = "
        "sigma = 0, so that nothing can balance it; 1 solid cell has a source; set f and flux to 0 there, "
        "or a above 0, or leave them out with problem.sources_in_solids: ignore\n");
}

TEST(SourceBalance, RefusesANetSourceInACutOffPart) {
    Config config = two_islands();
    config.f = expression("x > 5 ? 2 : 0");
    EXPECT_EQ(
        failure_of(config),
        "source in a cut-off part: a net 2 (f times volume plus flux times area) enters the part of 4 cells "
        "around cell [y, x] = [0, 5], which has no sigma and reaches no side with " +
            kinds_that_fix_level() +
            ", so that no steady state exists; 1 cut-off part has a net source; set f and "
            "flux to 0 there, or connect the part, or leave them out with problem.sources_in_solids: "
            "ignore\n");
}

TEST(SourceBalance, IgnoresSourcesOfCellsLeftOutOnRequest) {
    Config config = two_islands();
    config.f = expression("x > 2 && x < 3 ? 5 : 2");
    config.sides[3].values = expression("x > 2 && x < 3 ? 7 : 0");
    config.sources_in_solids = SourcesInSolids::ignore;
    const Problem problem = make_problem(config);
    ASSERT_EQ(problem.warnings.size(), 1U);
    EXPECT_EQ(problem.warnings[0].message,  // 2 cells of 5 and 6 of 2, times 0.5, and a face of 7
              "the sources of 8 cells that are solid or cut off are ignored, 18 in all (f times volume plus "
              "flux times area)");
    config.type = ProblemType::heat;  // where a cut-off part evolves
    EXPECT_EQ(make_problem(config).warnings.at(0).message,
              "the sources of 4 cells that are solid or cut off are ignored, 14 in all (f times volume plus "
              "flux times area)");
    config.f = expression("x < 2");
    config.sides[3].values = ValueSource{};
    EXPECT_TRUE(make_problem(config).warnings.empty());
}

TEST(SourceBalance, LeavesOutACutOffPartThatBalancesAndSaysSo) {
    Config config = two_islands();
    config.f = expression("x > 4 ? (y > 0.5 ? 1 : -1) : 0");
    const Problem problem = make_problem(config);
    ASSERT_EQ(problem.warnings.size(), 1U);
    EXPECT_EQ(
        problem.warnings[0].message,
        "some cut-off parts hold sources that balance; these parts are not solved and are written as NaN");
}

TEST(SourceBalance, HeatEvolvesCutOffPartsButNotSolidCells) {
    Config config = two_islands();
    config.type = ProblemType::heat;
    config.f = expression("x > 4 ? 2 : 0");
    EXPECT_EQ(failure_of(config), "no failure");
    config.f = expression("x > 2 && x < 3 ? (y > 0.5 ? 1 : -1) : 0");
    EXPECT_NE(failure_of(config).find("source in a solid cell: -0.5"), std::string::npos);
}

TEST(SourceBalance, SigmaAnchorsAPart) {
    Config config = two_islands();
    config.sigma = expression("x > 5");
    config.f = expression("x > 4 ? 2 : 0");
    EXPECT_EQ(failure_of(config), "no failure");
}

TEST(SourceBalance, RefusesAllFluxProblemsThatDoNotBalance) {
    Config config = two_islands();
    config.a = ValueSource{};
    config.a.number = 1.0;
    config.sides[0].kind = SideKind::flux;
    config.sides[0].values.number = 2.0;
    config.sides[1].values.number = -1.0;
    config.f.number = 0.5;
    EXPECT_EQ(failure_of(config),
              "sources do not balance: f times volume plus flux times area sums to 4 (magnitudes sum to 6), "
              "but there is no "
              "sigma and no side with " +
                  kinds_that_fix_level() +
                  " to absorb the difference, so that no steady state exists; make the sum 0 to within 1e-8 "
                  "of the magnitudes, or give a side a " +
                  kinds_that_fix_level() + "\n");
    config.f.number = -1.0 / 6.0;
    EXPECT_EQ(failure_of(config), "no failure");
}

TEST(SourceBalance, EachConnectedPartMustBalanceByItself) {
    Config config = two_islands();
    config.sides[0].kind = SideKind::flux;
    config.f = expression("x < 2 ? 1 : (x > 4 ? -1 : 0)");
    const std::string message = failure_of(config);
    EXPECT_EQ(message.substr(0, message.find(':')),
              "sources do not balance in the connected part around cell [y, x] = [0, 0] (2 of 2 parts do not "
              "balance)");
}

TEST(SourceBalance, RefusesAProblemWithoutAnyCellToSolveFor) {
    Config config = two_islands();
    config.a = expression("x > 4");
    EXPECT_EQ(
        failure_of(config),
        "problem.a: there is no cell to solve: every cell is solid (a = sigma = 0) or cut off from sigma "
        "and from every side with " +
            kinds_that_fix_level() + "\n");
}

}  // namespace
}  // namespace perdure::source_balance_test
