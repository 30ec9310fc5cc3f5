// Crank-Nicolson after a jump: whether it is warned of, and what it does.
#include "solver/run/warn_of_oscillations.hpp"

#include "solver/case_file/starting_cases.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::warn_of_oscillations_test {
namespace {

class WarnOfOscillations : public SystemsOnHostThreads {
  protected:
    [[nodiscard]] std::string warning(const std::string &text) const {
        const Case read = read_case(text);
        return warn_of_oscillations(read.config, read.problem, find_active_cells(read.problem));
    }
};

/// Cells of size 0.1 change at rates up to 4 / 0.1^2 = 400. A jump of 1 between two cells excites such modes by 1 / 4.
std::string jump(double dt, const std::string &method = "crank_nicolson", const std::string &problem = "") {
    return fmt::format(
        "problem: {{type: heat, a: 1, initial: \"if(x < 1, 0, 1)\"{}}}\ngrid: {{shape: [20], spacing: 0.1}}\n"
        "time: {{end: 1, dt: {}, method: {}}}\nsolver: {{rtol: 1.0e-12}}\n",
        problem, dt, method);
}

/// By how much a profile that should rise falls between two cells.
double largest_fall(const std::vector<double> &u) {
    double fall = 0.0;
    for (std::size_t i = 1; i < u.size(); ++i) {
        fall = std::max(fall, u[i - 1] - u[i]);
    }
    return fall;
}

TEST_F(WarnOfOscillations, OnBothSidesOfTheLimit) {
    // after n = 1 / dt steps (1/4) ((z - 2) / (z + 2))^n of the jump is left, z = 400 dt: 0.0192 with 16 steps, 0.0045 with 20
    const std::string told = warning(jump(0.0625));
    EXPECT_NE(told.find("oscillate by about 0.019 at t = 1"), std::string::npos) << told;
    EXPECT_NE(told.find("backward_euler or bdf2"), std::string::npos) << told;
    EXPECT_NE(told.find("dt <= 0.058"), std::string::npos) << told;
    EXPECT_NE(warning(jump(0.059)), "") << "17 steps";
    EXPECT_EQ(warning(jump(0.058)), "") << "18 steps";
    EXPECT_EQ(warning(jump(0.05)), "");
    for (const char *const other : {"backward_euler", "bdf2"}) {
        EXPECT_EQ(warning(jump(0.0625, other)), "") << other;
    }
}

/// The same heat in other words: watched, and as a system, which a velocity of 0 or a side with u makes of it.
TEST_F(WarnOfOscillations, WhateverElseTheCaseHas) {
    const std::string watch = "watch: {every: 0.5, integrals: {m: {mean: u}}}\n";
    EXPECT_EQ(warning(jump(0.0625) + watch), warning(jump(0.0625)));
    EXPECT_NE(warning(jump(0.0625)), "");
    const std::string side = "boundary: {x+: {flux: \"1 - u^4\"}}\n";
    for (const std::string &more : {side, side + watch}) {
        const std::string told = warning(jump(0.0625) + more);
        EXPECT_NE(told.find("oscillate by about 0.019 at t = 1"), std::string::npos) << told;
        EXPECT_EQ(warning(jump(0.05) + more), "");
        EXPECT_EQ(warning(jump(0.0625, "bdf2") + more), "");
    }
    const auto at_side = [&](const char *level) {
        return warning(
            fmt::format("problem: {{type: heat, a: 2, initial: 5}}\ngrid: {{shape: [4, 20], spacing: "
                        "0.1}}\nboundary: {{x-: "
                        "{{value: {}}}, x+: {{flux: \"1e-3*(5 - u)\"}}}}\ntime: {{end: 2, dt: 0.5, method: "
                        "crank_nicolson}}\n",
                        level));
    };
    EXPECT_NE(at_side("6"), "");
    EXPECT_EQ(at_side("5"), "");
    const std::string smooth =
        "grid: {shape: [200], length: 1}\ntime: {end: 1, dt: 0.1, method: crank_nicolson}\n";
    EXPECT_EQ(warning("problem: {type: heat, a: 1, initial: 0, f: 10 - u}\n" + smooth), "");
    EXPECT_EQ(warning("problem: {type: heat, a: 1}\n" + smooth + "boundary: {x-: {flux: 3 - u}}\n"), "");
}

TEST_F(WarnOfOscillations, IsRight) {
    EXPECT_GT(largest_fall(last_values(jump(0.25))), 0.05);
    EXPECT_NE(warning(jump(0.25)), "");
    EXPECT_LT(largest_fall(last_values(jump(0.05))), 0.01);
    EXPECT_LT(largest_fall(last_values(jump(0.25, "bdf2"))), 1.0e-6);
}

TEST_F(WarnOfOscillations, FindsJumpsAtSides) {
    const auto of = [&](const std::string &side, double capacity = 1.0) {
        return warning(
            fmt::format("problem: {{type: heat, a: 2, initial: 5, capacity: {}}}\ngrid: {{shape: [4, 20], "
                        "spacing: 0.1}}\n"
                        "boundary: {{x-: {}}}\ntime: {{end: 2, dt: 0.5, method: crank_nicolson}}\n",
                        capacity, side));
    };
    EXPECT_NE(of("{value: 6}"), "");
    EXPECT_EQ(of("{value: 5}"), "");
    EXPECT_NE(of("{value: {number: 6, factor: 1 + t}}"), "");
    EXPECT_EQ(of("{value: {number: 5, factor: 1 + t}}"), "") << "what changes later is resolved";
    EXPECT_NE(of("{exchange: {coefficient: 200, ambient: 6}}"), "");
    EXPECT_EQ(of("{exchange: {coefficient: 0.1, ambient: 6}}"), "") << "u changes slowly at the side";
    EXPECT_EQ(of("{value: 6}", 10000.0), "") << "z < 2";
}

TEST_F(WarnOfOscillations, LeavesSmoothProblemsAlone) {
    const std::string rest =
        "grid: {shape: [200], length: 1}\nboundary: {all: {value: 0}}\ntime: {end: 1, dt: 0.1, method: "
        "crank_nicolson}\n";
    EXPECT_EQ(warning("problem: {type: heat, a: 1, initial: sin(pi*x)}\n" + rest), "");
    EXPECT_EQ(warning("problem: {type: heat, a: 1, initial: 0, f: 10}\n" + rest), "");
    EXPECT_EQ(
        warning("problem: {type: heat, a: 1}\ngrid: {shape: [200], length: 1}\nboundary: {x-: {flux: 3}}\n"
                "time: {end: 1, dt: 0.1, method: crank_nicolson}\n"),
        "");
    for (const int initial : {1, 2}) {  // u = f / sigma stays as it is
        const std::string told = warning(
            fmt::format("problem: {{type: heat, a: 1, sigma: 1000, initial: {}, f: 1000}}\n"
                        "grid: {{shape: [8, 8]}}\ntime: {{end: 1, dt: 0.1, method: crank_nicolson}}\n",
                        initial));
        EXPECT_EQ(told.empty(), initial == 1) << told;
    }
    EXPECT_EQ(warning(starting_heat_case()), "");
}

}  // namespace
}  // namespace perdure::tests::warn_of_oscillations_test
