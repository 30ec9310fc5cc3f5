// Implicit heat that is watched while its own kernels solve its steps: the series of the same equation as a system, bits, solid cells, stopping.
#include <cmath>
#include <cstring>

#include "solver/reference/compare_watched.hpp"
#include "solver/run/time_steps.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::watched_heat_test {
namespace {

struct Solver {
    const char *method;
    const char *keys;
};
constexpr std::array methods{"backward_euler", "crank_nicolson", "bdf2"};
constexpr std::array solvers{Solver{"cg", "method: cg, check_every: 3"},
                             Solver{"cg by multigrid", "method: cg, preconditioner: multigrid"},
                             Solver{"multigrid", "method: multigrid"}};

/// Probes lie beside sides, where the cells beyond take part in `slope`.
const std::string watch = R"yaml(
watch:
  every_steps: 3
  integrals: {heat: {sum: u*capacity}, least: {min: u}, right: {mean: u, where: x > 3}, slope: {L2: dx(u)}}
  probes: {in_wall: {x: 0.3, y: 1.1}, cut: {from: {x: 0.5, y: 0.5}, to: {x: 5, y: 3}, points: 4, of: {u: u, bent: lap(u)}}}
)yaml";
const std::string as_heat = R"yaml(
problem: {type: heat, a: "1 + x", sigma: 0.3, capacity: "2 + sin(y)", f: {expression: "y", factor: "cos(t)"}, initial: "x*y"}
boundary: {x-: {exchange: {coefficient: 2, ambient: {number: 3, factor: "1 + t"}}}, x+: {value: 1}, y-: {flux: 0.2}}
grid: {shape: [9, 13], spacing: [0.5, 0.5]}
)yaml";
const std::string as_system = R"yaml(
problem:
  type: system
  fields: {u: "x*y"}
  coefficients: {a: 1 + x, capacity: 2 + sin(y)}
  equations: {u: (div(a*grad(u)) - 0.3*u + y*cos(t))/capacity}
boundary: {x-: {exchange: {coefficient: 2/a, ambient: 3*(1 + t)}}, x+: {value: 1}, y-: {flux: 0.2/a}}
grid: {shape: [9, 13], spacing: [0.5, 0.5]}
)yaml";

std::string time_of(const char *method, const std::string &others = "end: 1, snapshots: [0.35]") {
    return fmt::format("time: {{method: {}, dt: 0.1, {}}}\n", method, others);
}

std::string solver_of(const Solver &solver) {
    return fmt::format("solver: {{{}, rtol: 1e-12}}\n", solver.keys);
}

bool same_bits(const Solution &one, const Solution &other) {
    const auto same = [](const SeriesVariable &a, const SeriesVariable &b) {
        return a.values.size() == b.values.size() &&
               std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)) == 0;
    };
    return one.series->times == other.series->times && one.series->steps == other.series->steps &&
           std::equal(one.series->variables.begin(), one.series->variables.end(),
                      other.series->variables.begin(), other.series->variables.end(), same);
}

class WatchedHeat : public SystemRuns {};

TEST_P(WatchedHeat, HasTheSeriesOfThatSystem) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const char *const method : methods) {
            const Solution expected =
                run_all(read(as_system + time_of(method) + watch + "solver: {rtol: 1e-12}\n"), host_device())
                    .back();
            for (const Solver &solver : solvers) {
                SCOPED_TRACE(fmt::format("{}, {}", method, solver.method));
                Case of = read(as_heat + time_of(method) + watch + solver_of(solver));
                const PreparedCase prepared = prepare_as_read(of, *device);
                EXPECT_STREQ(prepared.plan.method->kernel,
                             solver.method == std::string("cg") ? "implicit_cg" : "implicit_multigrid");
                const Solution found = run_all(of, *device).back();
                EXPECT_EQ(found.series->steps, expected.series->steps);
                ASSERT_EQ(found.series->times.size(), expected.series->times.size());
                for (std::size_t i = 0; i < found.series->times.size(); ++i) {
                    EXPECT_DOUBLE_EQ(found.series->times[i], expected.series->times[i]);
                }
                ASSERT_EQ(found.series->variables.size(), expected.series->variables.size());
                for (std::size_t i = 0; i < found.series->variables.size(); ++i) {
                    const SeriesVariable &is = found.series->variables[i],
                                         &was = expected.series->variables[i];
                    EXPECT_EQ(is.name, was.name);
                    EXPECT_LT(largest_difference(is.values, was.values), 1.0e-8) << is.name;
                }
                const WatchedDifference difference = compare_watched(
                    of.problem, *found.series,
                    prepared.plan.method->reference(of.problem, step_sizes(time_segments(prepared))));
                EXPECT_LT(difference.largest, 1.0e-9) << difference.name;
                EXPECT_EQ(difference.values, 13U);
            }
        }
    }
}

TEST_P(WatchedHeat, HasTheSameBitsInEveryModelAndNumberOfGroups) {
    for (const Solver &solver : solvers) {
        Case of = read(as_heat + time_of("bdf2") + watch + solver_of(solver));
        const Solution expected = run_all(of, host_device()).back();
        for (const std::unique_ptr<Device> &device : devices()) {
            EXPECT_TRUE(same_bits(run_all(of, *device).back(), expected)) << solver.method;
            for (const ExecutionModel model : {ExecutionModel::persistent, ExecutionModel::launches}) {
                Case other = of;
                other.config.execution.model = model;
                for (const int groups : {1, 2}) {
                    other.config.execution.groups = groups;
                    EXPECT_TRUE(same_bits(run_all(other, *device).back(), expected))
                        << solver.method << groups;
                }
            }
        }
    }
}

TEST_P(WatchedHeat, IsSolvedAsItIsUnwatched) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const Solver &solver : solvers) {
            const std::string text = as_heat + time_of("bdf2") + solver_of(solver);
            const Solution watched = run_all(read(text + watch), *device).back();
            const Solution plain = run_all(read(text), *device).back();
            EXPECT_EQ(watched.fields[0].values, plain.fields[0].values);
            EXPECT_EQ(watched.report.solves->iterations, plain.report.solves->iterations);
        }
    }
}

/// Also in a segment of one step, and before the first one.
TEST_P(WatchedHeat, StopsAsAsked) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const auto &[condition, steps] : {std::pair{"t > 0.45", 5}, {"t > 0.25", 3}, {"t > -1", 0}}) {
            const std::string others =
                fmt::format("end: 9, snapshots: [0.4, 0.5], stop_when: '{}'", condition);
            const Solution asked = run_all(read(as_heat + time_of("bdf2", others) +
                                                "watch: {every_steps: 1, integrals: {heat: {sum: u}}}\n" +
                                                solver_of(solvers[1])),
                                           *device)
                                       .back();
            EXPECT_EQ(asked.report.stop, StopReason::asked);
            EXPECT_EQ(asked.step, steps);
            EXPECT_EQ(std::ssize(asked.series->times), steps + 1);
            double sum = 0.0;
            for (std::int64_t cell = 0; cell < 9 * 13; ++cell) {
                sum += value_at(asked.fields[0].values, cell) * 0.25;
            }
            EXPECT_NEAR(asked.series->variables[0].values.back(), sum, 1.0e-11 * sum)
                << "of the field that is left";
        }
    }
}

/// Solid cells keep the value that the case gives them: 100 in 12 of 48 cells.
TEST_P(WatchedHeat, LeavesSolidsAsTheyAre) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const Solver &solver : solvers) {
            Case of = read(R"yaml(
problem: {type: heat, a: "if(x > 4 and x < 6, 0, 1)", initial: "if(x > 4 and x < 6, 100, 1)"}
grid: {shape: [6, 8]}
boundary: {x-: {value: 1}}
watch: {every_steps: 1, integrals: {all: {mean: u}, rest: {max: u, where: x < 4 or x > 6}}, probes: {solid: {x: 4.5, y: 3}}}
time: {method: backward_euler, dt: 0.5, end: 2}
)yaml" + solver_of(solver));
            const Solution found = run_all(of, *device).back();
            for (const double mean : found.series->variables[0].values) {
                EXPECT_NEAR(mean, (12 * 100.0 + 36.0) / 48.0, 1.0e-12);
            }
            EXPECT_NEAR(found.series->variables[1].values.back(), 1.0, 1.0e-13);
            EXPECT_EQ(found.series->variables[2].values.back(), 100.0);
            EXPECT_TRUE(std::isnan(value_at(found.fields[0].values, 4)));
            const PreparedCase prepared = prepare_as_read(of, *device);
            const auto answers =
                prepared.plan.method->reference(of.problem, step_sizes(time_segments(prepared)));
            EXPECT_LT(compare_watched(of.problem, *found.series, answers).largest, 1.0e-11);
        }
    }
}

TEST_P(WatchedHeat, RunsInOtherPrecisions) {
    for (const std::unique_ptr<Device> &device : devices()) {
        const auto heat_in = [&](const char *precision, const char *rtol) {
            const Solution found =
                run_all(read(as_heat + time_of("bdf2") + watch +
                             fmt::format("solver: {{preconditioner: multigrid, rtol: {}}}\n"
                                         "execution: {{precision: {}}}\n",
                                         rtol, precision)),
                        *device)
                    .back();
            return found.series->variables[0].values.back();
        };
        const double expected = heat_in("float64", "1e-12");
        EXPECT_NEAR(heat_in("mixed", "1e-12"), expected, 1.0e-10 * expected);
        EXPECT_NEAR(heat_in("float32", "1e-6"), expected, 1.0e-5 * expected);
    }
}

using WatchedHeatConfig = CaseFileTest;

TEST_F(WatchedHeatConfig, StaysHeatWhereItsStepsAreSolvesOfConstantCoefficients) {
    const auto type_with = [&](const std::string &time, const std::string &a) {
        return load(fmt::format("problem: {{type: heat, a: {}}}\ngrid: {{shape: [8, 8]}}\n"
                                "time: {{end: 1, dt: 0.1{}}}\nwatch: {{integrals: {{m: {{sum: u}}}}}}\n",
                                a, time))
            .type;
    };
    EXPECT_EQ(type_with(", method: bdf2", "1 + x"), ProblemType::heat);
    EXPECT_EQ(type_with(", method: bdf2", "1 + u"), ProblemType::system);
    EXPECT_EQ(type_with(", method: rk4", "1 + x"), ProblemType::system);
    EXPECT_EQ(type_with(", method: imex, implicit: [u]", "1 + x"), ProblemType::system);
    EXPECT_EQ(type_with("", "1 + x"), ProblemType::system);
}

PERDURE_ON_EACH_BACK_END(WatchedHeat);

}  // namespace
}  // namespace perdure::tests::watched_heat_test
