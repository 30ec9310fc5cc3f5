// What is watched of systems of equations: the reference, bits, schedules, stopping as asked, errors against exact solutions, findings.
#include <cmath>
#include <cstring>

#include "solver/integrators/integrator.hpp"
#include "solver/reference/compare_watched.hpp"
#include "solver/run/time_steps.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::watch_test {
namespace {

/// Every quantity, conditions, derivatives, points and lines near sides and between cells, sides with formulas and periodic ones.
constexpr const char *waves = R"yaml(
problem:
  type: system
  fields:
    u: {initial: "1 + x*y/20", boundary: {y-: {value: "1 + x/10"}, y+: {flux: 0.1}}, exact: "1 + x*y/20 + t"}
    v: {initial: "0.25*random(4)"}
  parameters: {D: 0.2}
  let: {r: u*v^2}
  equations: {u: "D*lap(u) - r", v: "D*lap(v) + r - dx(u)/20"}
grid: {shape: [11, 300], spacing: [0.5, 0.25], origin: [-1, 2]}
boundary: {x-: periodic, x+: periodic}
watch:
  every_steps: 4
  integrals:
    mass: {sum: u + v}
    left: {mean: r, where: x < 8 and v > 0.1}
    least: {min: u - v}
    none: {max: v, where: v > 100}
    slope: {L1: "dot(grad(u), grad(v))"}
    rough: {L2: lap(v)}
    far: {Linf: v - 0.1, where: y > 1}
  probes:
    corner: {x: 2.01, y: -0.99}
    centre: {x: 20.125, y: 0.25, of: {r: r, slope: dx(u)}}
    cut: {from: {x: 2, y: -1}, to: {x: 77, y: 4.5}, points: 9, of: [v]}
time: {end: 0.2, dt: 0.02, method: ssprk3, snapshots: [0.07]}
solver: {check_every: 3}
)yaml";

constexpr const char *in_three_dimensions = R"yaml(
problem:
  type: system
  fields: {u: "x + 2*y*z"}
  equations: {u: "0.1*lap(u)"}
grid: {shape: [5, 6, 7]}
watch:
  every: 0.25
  integrals: {mean_u: {mean: u}}
  probes: {point: {x: 3.3, y: 2.6, z: 0.2}}
time: {end: 1.0, dt: 0.1, method: rk4}
)yaml";

class Watch : public SystemRuns {};

Solution run_as_read(const Case &test_case, Device &device) {
    return run_case(prepare_as_read(test_case, device), Progress::Style::quiet, [](const Solution &) {});
}

const SeriesVariable &variable(const Solution &solution, const std::string &name) {
    for (const SeriesVariable &one : solution.series->variables) {
        if (one.name == name) {
            return one;
        }
    }
    throw std::out_of_range(name);
}

testing::AssertionResult same_series(const Series &one, const Series &other) {
    if (one.times != other.times || one.steps != other.steps ||
        one.variables.size() != other.variables.size()) {
        return testing::AssertionFailure() << one.times.size() << " and " << other.times.size() << " times";
    }
    for (std::size_t i = 0; i < one.variables.size(); ++i) {
        const std::vector<double> &a = one.variables[i].values, &b = other.variables[i].values;
        if (a.size() != b.size() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) != 0) {
            return testing::AssertionFailure() << one.variables[i].name << " has other bits";
        }
    }
    return testing::AssertionSuccess();
}

TEST_P(Watch, AgreesWithTheReference) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const char *const text : {waves, in_three_dimensions}) {
            const Case test_case = read(text);
            const PreparedCase prepared = prepare_as_read(test_case, *device);
            const Solution last = run_as_read(test_case, *device);
            ASSERT_EQ(last.report.stop, StopReason::complete);
            const reference::Answers answers =
                prepared.plan.method->reference(test_case.problem, step_sizes(time_segments(prepared)));
            const WatchedDifference found = compare_watched(test_case.problem, *last.series, answers);
            EXPECT_LT(found.largest, 1.0e-11) << found.name;
            EXPECT_GT(found.values, 1U);
        }
    }
}

TEST_P(Watch, HasTheSameBitsInEveryModelNumberOfGroupsAndBackEnd) {
    const Solution expected = run_as_read(read(waves), host_device());
    ASSERT_EQ(expected.series->steps, (std::vector<std::int64_t>{0, 4, 8, 11}));
    for (const std::unique_ptr<Device> &device : devices()) {
        Case test_case = read(waves);
        EXPECT_TRUE(same_series(*expected.series, *run_as_read(test_case, *device).series));
        test_case.config.execution.groups = 2;
        EXPECT_TRUE(same_series(*expected.series, *run_as_read(test_case, *device).series));
        test_case.config.execution.groups = 1;
        test_case.config.execution.model = ExecutionModel::launches;
        EXPECT_TRUE(same_series(*expected.series, *run_as_read(test_case, *device).series));
    }
}

TEST_P(Watch, StopsAtTheStepThatMeetsTheCondition) {
    const std::string growth = R"yaml(
problem: {type: system, fields: {u: 1 + x/10}, parameters: {most: 3.0}, equations: {u: u}}
grid: {shape: [4, 5]}
watch: {every_steps: 2, integrals: {largest: {max: u}}, probes: {here: {x: 1, y: 1}}}
solver: {check_every: 1}
)yaml";
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const char *const integrator : {"euler", "rk4"}) {
            const auto until = [&](const std::string &end) {
                return run_as_read(
                    read(growth + fmt::format("time: {{dt: 0.125, method: {}, {}}}\n", integrator, end)),
                    *device);
            };
            const Solution stopped = until("end: 100, stop_when: here_u > 0.5 and largest > most or t > 50");
            EXPECT_EQ(stopped.report.stop, StopReason::asked);
            EXPECT_EQ(exit_code(stopped.report), ExitCode::success);
            const std::vector<double> &largest = variable(stopped, "largest").values;
            ASSERT_GE(largest.size(), 2U);
            EXPECT_GT(largest.back(), 3.0);
            EXPECT_LE(largest[largest.size() - 2], 3.0);
            EXPECT_EQ(stopped.step, stopped.series->steps.back());
            EXPECT_EQ(stopped.time, stopped.series->times.back());
            const Solution direct = until(fmt::format("end: {}", stopped.time));
            EXPECT_EQ(direct.report.stop, StopReason::complete);
            EXPECT_EQ(direct.fields[0].values, stopped.fields[0].values);
        }
    }
}

PERDURE_ON_EACH_BACK_END(Watch);

class WatchOnHostThreads : public CaseFileTest {
  protected:
    [[nodiscard]] Solution solve(const std::string &text) const {
        Case read{load(text), {}};
        read.problem = make_problem(read.config);
        return run_as_read(read, host_device());
    }
};

TEST_F(WatchOnHostThreads, IntegralsAndProbesAreKnownOnes) {
    const Solution solution = solve(R"yaml(
problem: {type: system, fields: {u: 2*x + 3*y}, equations: {u: 0*u}}
grid: {shape: [10, 20], spacing: [0.2, 0.1], origin: [1, -1]}
watch:
  integrals:
    mass: {sum: u}
    of_half: {sum: "1", where: x < 0}
    mean_of_half: {mean: u, where: x < 0}
    most: {max: u}
    none: {min: u, where: x > 100}
  probes:
    outside_centres: {x: -1, y: 3}
    line: {from: {x: -1, y: 1}, to: {x: 1, y: 1}, points: 3}
time: {end: 1.0, dt: 0.25, method: euler}
)yaml");
    EXPECT_EQ(solution.series->steps, (std::vector<std::int64_t>{0, 4}));
    EXPECT_NEAR(variable(solution, "mass").values[0], 24.0, 1.0e-12);
    EXPECT_NEAR(variable(solution, "of_half").values[0], 2.0, 1.0e-12);
    EXPECT_NEAR(variable(solution, "mean_of_half").values[1], 5.0, 1.0e-12);
    EXPECT_NEAR(variable(solution, "most").values[0], 2.0 * 0.95 + 3.0 * 2.9, 1.0e-12);
    EXPECT_TRUE(std::isnan(variable(solution, "none").values[0]));
    EXPECT_NEAR(variable(solution, "outside_centres_u").values[0], 7.0, 1.0e-12);
    const std::vector<double> &line = variable(solution, "line_u").values;
    ASSERT_EQ(line.size(), 6U);
    EXPECT_NEAR(line[3], 1.0, 1.0e-12);
    EXPECT_NEAR(line[4], 3.0, 1.0e-12);
    EXPECT_NEAR(line[5], 5.0, 1.0e-12);
}

TEST_F(WatchOnHostThreads, IntervalsOfTimeAreMetByTheFirstStepBehindThem) {
    const auto steps = [&](const std::string &time, const std::string &every) {
        return solve(
                   "problem: {type: system, fields: {u: 1}, equations: {u: 0*u}}\ngrid: {shape: [4, 4]}\n"
                   "watch: {every: " +
                   every + ", integrals: {m: {mean: u}}}\ntime: " + time + "\n")
            .series->steps;
    };
    using Steps = std::vector<std::int64_t>;
    EXPECT_EQ(steps("{end: 1.0, dt: 0.1}", "0.3"), (Steps{0, 3, 6, 9, 10}));
    EXPECT_EQ(steps("{end: 1.0, dt: 0.1}", "0.25"), (Steps{0, 3, 5, 8, 10}));
    EXPECT_EQ(steps("{end: 0.5, dt: 0.1}", "0.01"), (Steps{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(steps("{end: 0.5, dt: 0.1, snapshots: [0.23]}", "0.2"), (Steps{0, 2, 5, 6}));
}

TEST_F(WatchOnHostThreads, ARunMayBeStoppedBeforeItsFirstStep) {
    const Solution solution = solve(R"yaml(
problem: {type: system, fields: {u: 2 + x}, equations: {u: 0*u}}
grid: {shape: [4, 4]}
time: {end: 1.0, dt: 0.25, stop_when: t >= 0}
)yaml");
    EXPECT_EQ(solution.report.stop, StopReason::asked);
    EXPECT_EQ(solution.step, 0);
    EXPECT_EQ(solution.report.residual, 5.5);  // the largest |u|
    EXPECT_EQ(value_at(solution.fields[0].values, 3), 5.5);
}

TEST_F(WatchOnHostThreads, ErrorsFallByTheOrderOfTheDifferences) {
    const auto error = [&](int cells) {
        const Solution solution =
            solve(fmt::format(R"yaml(
problem:
  type: system
  fields: {{u: {{initial: sin(x)*cos(2*y), exact: sin(x)*cos(2*y)*exp(-5*t)}}}}
  equations: {{u: lap(u)}}
grid: {{shape: [{0}, {0}], spacing: {1:.17g}}}
boundary: {{all: periodic}}
time: {{end: 0.1, dt: {2:.17g}, method: rk4}}
)yaml",
                              cells, 6.283185307179586 / cells, 0.1 * 256 / (cells * cells)));
        return solution.report.errors.at(0);
    };
    const ErrorNorms coarse = error(16), fine = error(32);
    EXPECT_NEAR(std::log2(coarse.l1 / fine.l1), 2.0, 0.1);
    EXPECT_NEAR(std::log2(coarse.l2 / fine.l2), 2.0, 0.1);
    EXPECT_NEAR(std::log2(coarse.max / fine.max), 2.0, 0.1);
    EXPECT_NEAR(coarse.time, 0.1, 1.0e-12);
}

TEST_F(WatchOnHostThreads, WhatIsWrongIsToldWithItsPlace) {
    const auto expect_one = [&](const std::string &watch, const std::string &beginning) {
        const std::vector<std::string> found = errors(
            "problem: {type: system, fields: {u: 1}, equations: {u: lap(u)}}\ngrid: {shape: [4, 5]}\n" +
            watch);
        ASSERT_EQ(found.size(), 1U) << testing::PrintToString(found);
        EXPECT_TRUE(found[0].starts_with(beginning)) << found[0];
    };
    const std::string time = "time: {end: 1, dt: 0.1}\n";
    expect_one("watch: {integrals: {m: {sum: uu}}}\n" + time, "3:30 unknown name 'uu'; did you mean 'u'?");
    expect_one("watch: {every: 1}\n" + time, "3:1 watch: the section names nothing to watch");
    expect_one("watch: {integrals: {m: {sum: u, mean: u}}}\n" + time,
               "3:24 watch.integrals.m: expected one of");
    expect_one("watch: {integrals: {m: {sum: u, where: 'x < z'}}}\n" + time, "3:45 ");
    expect_one("watch: {probes: {p: {x: 1, y: 7}}}\n" + time,
               "3:18 watch.probes.p: y = 7 lies outside the grid, which extends from y = 0 to 4");
    expect_one("watch: {probes: {p: {x: 1, y: 1, of: [w]}}}\n" + time, "3:39 unknown name 'w'");
    expect_one("watch: {integrals: {p_u: {sum: u}}, probes: {p: {x: 1, y: 1}}}\n" + time,
               "3:46 the series has two columns named 'p_u'");
    expect_one("watch: {every: 1, every_steps: 2, integrals: {m: {sum: u}}}\n" + time,
               "3:16 watch.every: every_steps is also given");
    expect_one("time: {end: 1, dt: 0.1, stop_when: mass < 1}\n", "3:36 unknown name 'mass'");
    expect_one("watch: {integrals: {m: {sum: u}}}\ntime: {end: 1, dt: 0.1, stop_when: m < x}\n",
               "4:36 time.stop_when is evaluated once per row and not in a cell");
}

TEST_F(WatchOnHostThreads, ASeriesIsATableOfTextWithAllDigits) {
    Series series;
    series.times = {0.0, 0.1};
    series.steps = {0, 1};
    series.lines = {{"cut", {{0.0, 0.0, 0.0}, {3.0, 4.0, 0.0}}}};
    SeriesVariable mass, cut;
    mass.name = "mass";
    mass.values = {1.0 / 3.0, std::nan("")};
    cut.name = "cut_u";
    cut.line = 0;
    cut.width = 2;
    cut.values = {1.0, 2.0, 3.0, 4e-300};
    series.variables = {mass, cut};
    EXPECT_EQ(csv_text(series),
              "time,step,mass,cut_u_0,cut_u_1\n0,0,0.3333333333333333,1,2\n0.1,1,nan,3,4e-300\n");
    EXPECT_EQ(series.lines[0].distances(), (std::vector<double>{0.0, 5.0}));
    EXPECT_TRUE(is_series_csv(write(csv_text(series), "a.csv")));
    EXPECT_FALSE(is_series_csv(write("temperature,pressure\n1,2\n", "b.csv")));
}

}  // namespace
}  // namespace perdure::tests::watch_test
