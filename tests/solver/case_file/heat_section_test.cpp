// What a heat problem has of its own: a capacity, and a solver where its steps are implicit.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::heat_section_test {
namespace {

using HeatSection = CaseFileTest;

TEST_F(HeatSection, ImplicitStepsTakeASolver) {
    const auto of = [&](const std::string &rest) {
        return errors(
            "problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\n"
            "time: {end: 1, dt: 0.1, method: bdf2}\n" +
            rest);
    };
    EXPECT_EQ(of("solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-6, max_iterations: 50}\n"
                 "execution: {precision: mixed}\n"),
              Texts{});
    EXPECT_EQ(of("solver: {method: multigrid}\n"), Texts{});
    EXPECT_EQ(of("solver: {method: jacobi}\n"),
              Texts{"4:1 solver.method: jacobi does not solve the steps of time.method: bdf2; cg and "
                    "multigrid do"});
    EXPECT_EQ(errors("problem: {type: wave, a: 1}\ngrid: {shape: [2, 2]}\n"
                     "time: {end: 1, method: backward_euler}\n"),
              Texts{"3:24 time.method: backward_euler does not advance a wave problem; use verlet"});
}

TEST_F(HeatSection, CapacityBelongsToHeat) {
    EXPECT_EQ(errors_of_heat("").size(), 0);
    EXPECT_EQ(errors("problem: {type: diffusion, a: 1, capacity: 2}\ngrid: {shape: [2, 2]}\n"),
              Texts{"1:34 problem.capacity: it belongs to type: heat"});
    EXPECT_EQ(errors("problem: {type: heat, a: 1, capacity: {number: 2, factor: t}}\n"
                     "grid: {shape: [2, 2]}\ntime: {end: 1}\n")
                  .size(),
              1);
}

}  // namespace
}  // namespace perdure::heat_section_test
