#include "solver/methods/advice.hpp"

#include <gtest/gtest.h>

#include "solver/output/report_text.hpp"

namespace perdure::advice_test {
namespace {

TEST(Advice, OfMethodMultigridIsToPreconditionWithIt) {
    Config config;
    config.solver.method = SolverMethod::multigrid;
    for (const StopReason stop :
         {StopReason::iteration_limit, StopReason::diverged, StopReason::stagnated, StopReason::breakdown}) {
        EXPECT_EQ(advice(stop, config).find("solver.method: cg with solver.preconditioner: multigrid"), 0U);
    }
    for (const StopReason stop : {StopReason::converged_rtol, StopReason::converged_atol, StopReason::stopped,
                                  StopReason::accuracy_limit, StopReason::not_finite}) {
        EXPECT_EQ(advice(stop, config), "");
    }
}

TEST(Advice, OfBicgstabIsWhatTheCaseLacks) {
    Config config;
    config.solver.method = SolverMethod::bicgstab;
    EXPECT_EQ(advice(StopReason::breakdown, config), "solver.method: cg");
    config.velocity.emplace();
    config.solver.preconditioner = Preconditioner::none;
    EXPECT_EQ(advice(StopReason::diverged, config),
              "solver.preconditioner: jacobi; a finer grid, so that cell Peclet numbers are below 2; "
              "problem.convection: upwind, also with solver.method: sor");
    config.velocity->convection = Convection::upwind;
    config.solver.preconditioner = Preconditioner::jacobi;
    config.execution.precision = Precision::float32;
    EXPECT_EQ(advice(StopReason::stagnated, config),
              "solver.method: sor, which converges with upwind differences; execution.precision: float64");
}

TEST(Advice, IsInTheReport) {
    Report report;
    report.stop = StopReason::diverged;
    EXPECT_EQ(to_text(report, Grid{}).find("  try "), std::string::npos);
    EXPECT_FALSE(to_json(report).contains("advice"));
    report.advice = "a file";
    EXPECT_NE(to_text(report, Grid{}).find("  try        a file\n"), std::string::npos);
    EXPECT_EQ(to_json(report)["advice"], "a file");
}

}  // namespace
}  // namespace perdure::advice_test
