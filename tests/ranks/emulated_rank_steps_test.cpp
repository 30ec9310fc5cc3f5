// Ranks with a GPU each, without one (emulated_ranks.hpp): steps of systems of equations with what is watched, and solvers of steady problems
// that have no levels. Their bits are those of host threads.
#include <array>
#include <string>
#include <vector>

#include "kernels/rank_place.h"
#include "tests/kernels/system_runs.hpp"
#include "tests/ranks/emulated_ranks.hpp"
#include "tests/resident/emulated_delays.hpp"

namespace perdure::tests {
namespace {

void expect_same_bits(const std::vector<Solution> &expected, const std::vector<Solution> &found) {
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_TRUE(same_bits(expected[i], found[i])) << "snapshot " << i;
    }
    const Series *const rows = expected.back().series.get(), *const others = found.back().series.get();
    ASSERT_EQ(rows != nullptr, others != nullptr);
    if (rows != nullptr) {
        EXPECT_EQ(rows->times, others->times);
        ASSERT_EQ(rows->variables.size(), others->variables.size());
        for (std::size_t i = 0; i < rows->variables.size(); ++i) {
            EXPECT_EQ(rows->variables[i].values, others->variables[i].values) << rows->variables[i].name;
        }
    }
    EXPECT_EQ(expected.back().report.step_sizes, found.back().report.step_sizes);
}

class EmulatedRankSteps : public SystemsOnHostThreads {
  protected:
    void SetUp() override {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
        GTEST_SKIP() << "sanitizers do not follow fibers";
#endif
    }
    void TearDown() override {
        emulated_delays = false;
    }

    /// On 2, 3 and 5 ranks; on 5, and once on 2, which have chunks that lie far from each cut, with delays. Returns what host threads found.
    Solution expect_bits_of_host(const std::string &text) const {
        const Case test_case = read_case(text);
        const std::vector<Solution> expected = run_all(test_case, host_device());
        for (const auto &[ranks, groups] :
             {std::pair{2, 3}, std::pair{2, 2}, std::pair{3, 2}, std::pair{5, 2}}) {
            SCOPED_TRACE(fmt::format("{} ranks of {} groups", ranks, groups));
            emulated_delays = ranks == 5 || (ranks == 2 && groups == 2);
            expect_same_bits(expected, run_all(test_case, *emulated_ranks(ranks, groups)));
        }
        return expected.back();
    }
};

const std::string reaction = R"yaml(
problem:
  type: system
  fields:
    u: {initial: "1 + x*y/20", boundary: {y-: {value: "1 + x/10"}, y+: {flux: 0.1}}}
    v: {initial: "0.25*random(4)"}
  equations: {u: "0.2*lap(u) - u*v^2", v: "0.2*lap(v) + u*v^2 - dx(u)/20"}
grid: {shape: [83, 37], spacing: [0.5, 0.25], origin: [-1, 2]}
boundary: {x-: periodic, x+: periodic}
)yaml";
const std::string around = R"yaml(
problem:
  type: system
  fields: {u: {initial: "sin(0.3*x)*cos(0.2*z)"}, w: {initial: "0.2*random(2)"}}
  equations: {u: "-0.001*lap(lap(u)) + w", w: "0.05*lap(w) - u*dz(w)"}
grid: {shape: [41, 9, 13]}
boundary: {all: periodic}
)yaml";
const std::string wave_of_two = R"yaml(
problem:
  type: system
  fields: {u: {initial: "sin(x/3)*cos(y)", boundary: {y-: {value: "0.1*x"}}}, v: 0.2*random(2)}
  equations: {u: v, v: "lap(u) - u^3 + 0.1*sin(t)"}
grid: {shape: [81, 31]}
)yaml";
const std::string carried = R"yaml(
problem:
  type: system
  fields: {u: {initial: "if(x + y < 10, 3, 1)", boundary: {y-: {value: 3.0}}}, v: "y*random(1)/20"}
  equations: {u: "conserve(u^2/2, u^2/2; abs(u))", v: "upwind((u, 0.5), v)"}
grid: {shape: [81, 29], spacing: [0.5, 0.25]}
boundary: {x-: periodic, x+: periodic}
)yaml";
const std::string everything = R"yaml(
watch:
  every_steps: 2
  integrals:
    mass: {sum: u + v}
    least: {min: u*v}
    part: {mean: v, where: y > 3}
    slope: {L2: "dot(grad(u), grad(v))"}
  probes: {cut: {from: {x: 3, y: 0.5}, to: {x: 6, y: 19}, points: 7, of: {u: u, rough: lap(v)}}}
)yaml";

TEST_F(EmulatedRankSteps, ShareRungeKuttaStages) {
    for (const char *steps :
         {"method: euler, dt: 0.02, end: 0.1", "method: rk4, dt: 0.02, end: 0.1, snapshots: [0.03]",
          "method: ssprk3, dt: 0.02, end: 0.1"}) {
        SCOPED_TRACE(steps);
        expect_bits_of_host(reaction + everything + fmt::format("time: {{{}}}\n", steps));
    }
    expect_bits_of_host(around + "time: {method: rk4, dt: 0.02, end: 0.1}\n");
    expect_bits_of_host(around +
                        "time: {method: ssprk3, dt: 0.02, end: 0.06}\nexecution: {precision: float32}\n");
}

TEST_F(EmulatedRankSteps, ShareStagesOfDiffusion) {
    expect_bits_of_host(reaction + everything +
                        "time: {method: rkl2, dt: 0.05, end: 0.3, snapshots: [0.12]}\n");
}

TEST_F(EmulatedRankSteps, StopTogetherOnWhatOneOfThemHasAtAProbe) {
    const Solution found =
        expect_bits_of_host(reaction +
                            "time: {method: rk4, dt: 0.02, end: 0.5, stop_when: t > 0.1 and far_u > 0}\n"
                            "watch: {every_steps: 3, probes: {far: {x: 3, y: 19, of: {u: u}}}}\n");
    EXPECT_EQ(found.report.stop, StopReason::asked);
}

TEST_F(EmulatedRankSteps, ShareLeapfrogInOnePhaseAndInThree) {
    expect_bits_of_host(wave_of_two + everything +
                        "time: {method: leapfrog, dt: 0.02, end: 0.2, snapshots: [0.05]}\n");
    expect_bits_of_host(R"yaml(
problem:
  type: system
  fields: {u: "sin(x/3)*cos(y)", v: 0.2*random(2)}
  equations: {u: "0.1*lap(v) - 0.3*v", v: "u*abs(u) - 0.1*lap(u)"}
grid: {shape: [87, 26]}
boundary: {x-: periodic, x+: periodic, y-: periodic, y+: periodic}
time: {method: leapfrog, dt: 0.02, end: 0.2, snapshots: [0.05]}
)yaml" + everything);
}

// Steps that do not count leave u and the first rate as they were.
TEST_F(EmulatedRankSteps, ShareStepsThatTheyChoose) {
    std::int64_t rejected = 0;
    for (const char *steps : {"method: rk45, dt: 2.5, rtol: 1e-5, atol: 1e-7, end: 0.1",
                              "method: rk23, rtol: 1e-3, atol: 1e-5, end: 0.05, snapshots: [0.03]"}) {
        SCOPED_TRACE(steps);
        const Solution found =
            expect_bits_of_host(reaction + everything + fmt::format("time: {{{}}}\n", steps));
        EXPECT_GT(found.report.step_sizes.size(), 3U);
        rejected += found.report.rejected_steps.value_or(0);
    }
    EXPECT_GT(rejected, 0);
    expect_bits_of_host(around + "time: {method: rk45, rtol: 1e-5, atol: 1e-7, end: 0.3}\n");
}

TEST_F(EmulatedRankSteps, ShareStepsFromTheFastestWave) {
    for (const char *steps : {"method: ssprk3, dt: {cfl: 0.4}", "method: euler, dt: {cfl: 0.3}"}) {
        SCOPED_TRACE(steps);
        const Solution found = expect_bits_of_host(
            carried + everything + fmt::format("time: {{{}, end: 1, snapshots: [0.4]}}\n", steps));
        EXPECT_GT(found.report.step_sizes.size(), 3U);
    }
}

TEST_F(EmulatedRankSteps, ShareNewtonSteps) {
    for (const char *steps :
         {"method: bdf2, dt: 0.05, end: 0.15", "method: crank_nicolson, dt: 0.05, end: 0.05",
          "method: backward_euler, dt: 0.04, end: 0.08, snapshots: [0.05]",
          "method: imex, implicit: [u], dt: 0.05, end: 0.15"}) {
        SCOPED_TRACE(steps);
        expect_bits_of_host(reaction + everything + fmt::format("time: {{{}}}\n", steps));
    }
    expect_bits_of_host(around + "time: {method: bdf2, dt: 0.05, end: 0.1}\n");
}

TEST_F(EmulatedRankSteps, ShareHeatAndWaves) {
    for (const char *problem :
         {"problem: {type: heat, a: 1 + 0.5*sin(x)*cos(y), f: x*y, initial: x*(1 - y)}\ntime: {end: 2}\n",
          "problem: {type: wave, a: 1 + 0.5*sin(x)*cos(y), initial: exp(-(x - 3)^2)}\ntime: {end: 4}\n"}) {
        for (const char *others : {"boundary: {x-: {value: 1}, y-: periodic, y+: periodic}\n",
                                   "boundary: {x-: {value: 1}}\nexecution: {model: launches}\n"}) {
            SCOPED_TRACE(std::string(problem) + others);
            expect_bits_of_host(
                fmt::format("{}grid: {{shape: [85, 33], spacing: 1.0}}\n{}", problem, others));
        }
    }
}

/// Methods without levels, on each kind of sides.
TEST_F(EmulatedRankSteps, ShareSteadySolvers) {
    struct Solver {
        const char *keys;
        bool has_velocity;
    };
    const std::array solvers{
        Solver{"method: bicgstab, preconditioner: jacobi, rtol: 1.0e-2, check_every: 2", true},
        Solver{"method: bicgstab, preconditioner: none, norm: max, rtol: 1.0e-2, max_iterations: 11", false},
        Solver{"method: chebyshev, rtol: 0.1, check_every: 5", false},
        Solver{"method: sor, norm: max, rtol: 0.3, check_every: 3", true},
        Solver{"method: jacobi, rtol: 0.5, check_every: 3", false},
        Solver{"method: cg, preconditioner: jacobi, rtol: 0.1, check_every: 5", false}};
    for (const Solver &solver : solvers) {
        for (const char *grid : {"grid: {shape: [83, 27], spacing: 1.0}\nboundary: {x-: {value: 1}, x+: "
                                 "{flux: 0.1}, y-: {value: 0}}\n",
                                 "grid: {shape: [42, 11, 14], spacing: 1.0}\nboundary: {x-: {value: 1}, z-: "
                                 "periodic, z+: periodic}\n"}) {
            SCOPED_TRACE(fmt::format("{} {}", solver.keys, grid));
            const bool is_plane = std::string(grid).find("83") != std::string::npos;
            const char *const velocity = !solver.has_velocity ? ""
                                         : is_plane ? ", velocity: [0.1*y, -0.3], convection: upwind"
                                                    : ", velocity: [0.1*y, -0.3, 1], convection: upwind";
            const Solution found =
                expect_bits_of_host(fmt::format("problem: {{type: diffusion, a: 1 + 0.9*sin(x)*cos(y), "
                                                "sigma: 0.05, f: sin(7*x)*y{}}}\n{}solver: {{{}}}\n",
                                                velocity, grid, solver.keys));
            EXPECT_GT(found.report.iterations, 2);
        }
    }
}

struct SentArrays {
    std::string text;
    std::vector<std::uint32_t> numbers;
};

// Each array that a phase names is needed by cells of other ranks, and the comparisons above see where it is not sent.
TEST_F(EmulatedRankSteps, HaveOtherBitsWhereAnArrayIsNotSent) {
    const std::string steady =
        "problem: {type: diffusion, a: 1 + 0.9*sin(x)*cos(y), sigma: 0.05, f: sin(7*x)*y}\n"
        "grid: {shape: [83, 27], spacing: 1.0}\nsolver: ";
    const std::array cases{
        SentArrays{reaction + "time: {method: euler, dt: 0.02, end: 0.1}\n", {RANK_EVEN, RANK_ODD}},
        SentArrays{reaction + "time: {method: rk4, dt: 0.02, end: 0.1}\n",
                   {RANK_EVEN, RANK_ODD, RANK_EVEN_STAGES, RANK_ODD_STAGES}},
        SentArrays{reaction + "time: {method: rkl2, dt: 0.05, end: 0.2}\n",
                   {RANK_EVEN, RANK_ODD, RANK_EVEN_STAGES, RANK_ODD_STAGES}},
        SentArrays{
            reaction + "time: {method: rk45, dt: 0.001, rtol: 0.1, atol: 0.1, end: 0.01}\n",
            {RANK_EVEN, RANK_ODD, RANK_EVEN_STAGES, RANK_ODD_STAGES, RANK_FIRST_RATES, RANK_LAST_RATES}},
        SentArrays{reaction + "time: {method: bdf2, dt: 0.05, end: 0.1}\nsolver: {max_iterations: 12}\n",
                   {RANK_FIRST_RATES, RANK_SECOND_RATES}},
        SentArrays{wave_of_two + "time: {method: leapfrog, dt: 0.02, end: 0.1}\n", {RANK_EVEN, RANK_ODD}},
        SentArrays{carried + "time: {method: ssprk3, dt: {cfl: 0.4}, end: 0.5}\n",
                   {RANK_EVEN, RANK_ODD, RANK_EVEN_STAGES, RANK_ODD_STAGES}},
        SentArrays{steady + "{method: bicgstab, rtol: 1.0e-2, check_every: 2, max_iterations: 12}\n",
                   {RANK_X, RANK_OTHERS, RANK_S, RANK_EVEN, RANK_ODD}},
        SentArrays{steady + "{method: chebyshev, rtol: 0.1, check_every: 5, max_iterations: 20}\n",
                   {RANK_EVEN, RANK_ODD}},
        SentArrays{steady + "{method: sor, rtol: 0.1, check_every: 5, max_iterations: 20}\n", {RANK_OTHERS}}};
    for (const SentArrays &of : cases) {
        const Case test_case = read_case(of.text);
        const Solution expected = run_all(test_case, host_device()).back();
        for (const std::uint32_t number : of.numbers) {
            const std::unique_ptr<Device> device = emulated_ranks(2, 2, {.dropped = rank_bit(number)});
            EXPECT_FALSE(same_bits(expected, run_all(test_case, *device).back()))
                << "array " << number << " of" << of.text;
        }
    }
}

// Cells are sent once all chunks near a cut are computed, and no sooner. With two groups, the first computes two of three such chunks.
TEST_F(EmulatedRankSteps, HaveOtherBitsWhereCellsAreSentTooSoon) {
    const std::string grid = "grid: {shape: [83, 37], spacing: 1}\n";
    const std::string steady =
        "problem: {type: diffusion, a: 2 + sin(x), sigma: 0.01, f: sin(7*x)*y}\n" + grid;
    for (const std::string &text :
         {"problem: {type: heat, a: 1, f: x*y, initial: x*(1 - y)}\ntime: {end: 2}\n" + grid,
          "problem: {type: wave, a: 1, initial: exp(-(x - 3)^2)}\ntime: {end: 4}\n" + grid,
          steady + "solver: {method: cg, preconditioner: jacobi, max_iterations: 5}\n",
          steady + "solver: {method: bicgstab, max_iterations: 5}\n",
          steady + "solver: {method: chebyshev, max_iterations: 20}\n",
          steady + "solver: {method: jacobi, max_iterations: 20}\n",
          steady + "solver: {method: sor, max_iterations: 20}\n"}) {
        const Case test_case = read_case(text);
        const Solution expected = run_all(test_case, host_device()).back();
        const auto device = emulated_ranks(2, 2, {.too_few_near_cuts = true});
        EXPECT_FALSE(same_bits(expected, run_all(test_case, *device).back())) << text;
    }
}

// A rank that takes part in nothing is named by one that waits for its cells, or for its sums.
TEST_F(EmulatedRankSteps, NameTheRankThatTheyWaitForInVain) {
    for (const auto &[more, what] :
         {std::pair{"time: {method: rk4, dt: 0.02, end: 0.1}\n", "its cells are missing"},
          std::pair{"time: {method: rk45, dt: 0.02, end: 0.1}\n", "for reduction 1"}}) {
        const Case test_case = read_case(reaction + more + "execution: {watchdog: 0.3}\n");
        try {
            run_all(test_case, *emulated_ranks(3, 2, {.silent = 1}));
            FAIL() << "one of three ranks takes part in nothing";
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::device);
            EXPECT_NE(std::string(failure.what()).find("no message of rank 1"), std::string::npos)
                << failure.what();
            EXPECT_NE(std::string(failure.what()).find(what), std::string::npos) << failure.what();
            EXPECT_EQ(std::string(failure.what()).find("rank 2"), std::string::npos) << failure.what();
        }
    }
}

}  // namespace
}  // namespace perdure::tests
