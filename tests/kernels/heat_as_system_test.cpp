// Heat that is carried along, or whose values depend on u and t.
#include <cmath>
#include <fstream>

#include "tests/kernels/system_runs.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::heat_as_system_test {
namespace {

using HeatAsSystem = SystemsOnHostThreads;

/// Radiation from the right side of a wall, whose left side is kept at 1: what flows through is what its last cell radiates.
TEST_F(HeatAsSystem, RadiatesAtASide) {
    const std::vector<double> u = last_values(R"yaml(
problem: {type: heat, a: 0.5, capacity: 2}
grid: {shape: [4, 20], spacing: 0.05}
boundary: {x-: {value: 1}, x+: {flux: "-0.8*u^4"}}
time: {end: 40, dt: 0.5, method: backward_euler}
)yaml");
    double last = 1.0;
    for (int i = 0; i < 200; ++i) {
        last = 0.9 * last + 0.1 * (1.0 - 0.8 * std::pow(last, 4) / 0.5 * 0.975);
    }
    EXPECT_NEAR(u[19], last, 1.0e-9);
    EXPECT_NEAR(u[9], 1.0 - (1.0 - last) * 0.475 / 0.975, 1.0e-9);
}

/// A Gauss function of variance s moves with the velocity while s grows by 2 a t / c.
TEST_F(HeatAsSystem, IsCarriedAlong) {
    const auto error = [&](int cells) {
        const std::vector<double> u = last_values(fmt::format(R"yaml(
problem: {{type: heat, a: 0.02, capacity: 2, velocity: [0, "0.5 + 0*y"], initial: "exp(-(x - 1.5)^2/0.2)"}}
grid: {{shape: [4, {}], spacing: [1, {:.17g}]}}
boundary: {{x-: periodic, x+: periodic}}
time: {{end: 1, dt: 0.005, method: rk4}}
)yaml",
                                                              cells, 4.0 / cells));
        double largest = 0.0;
        for (int i = 0; i < cells; ++i) {
            const double x = (i + 0.5) * 4.0 / cells, variance = 0.2 + 4.0 * 0.02 / 2.0;
            const double exact = std::sqrt(0.2 / variance) * std::exp(-(x - 2.0) * (x - 2.0) / variance);
            largest = std::max(largest, std::abs(u[static_cast<std::size_t>(i)] - exact));
        }
        return largest;
    };
    EXPECT_NEAR(std::log2(error(64) / error(128)), 2.0, 0.1);
}

/// What a source of a table adds is the area below the table: steps of rk4 that end at its rows add it without an error.
TEST_F(HeatAsSystem, FollowsTables) {
    const TemporaryFolder folder;
    const std::string file = (folder / "heat_of_a_day.csv").string();
    std::ofstream(file) << "# of one room\nhour; power; outside\n0; 1; 20\n1; 3; 20\n2.5; 1; 20\n";
    const auto mean_at = [&](double end, const std::string &beyond) {
        return last_values(fmt::format(R"yaml(
problem: {{type: heat, a: 1, capacity: 2, f: power, tables: {{power: {{file: {}, time_scale: 100, beyond: {}}}}}}}
grid: {{shape: [3, 4]}}
time: {{end: {}, dt: 5}}
)yaml",
                                       file, beyond, end))[5];
    };
    const double first = 0.5 * (1.0 + 3.0) * 100.0, second = 0.5 * (3.0 + 1.0) * 150.0;
    EXPECT_NEAR(mean_at(250.0, "refuse"), (first + second) / 2.0, 1.0e-10);
    EXPECT_NEAR(mean_at(300.0, "hold"), (first + second + 50.0 * 1.0) / 2.0, 1.0e-10);
    EXPECT_NEAR(mean_at(350.0, "repeat"), (2.0 * first + second) / 2.0, 1.0e-10);
}

/// A probe and an integral of heat, and a condition that ends the run.
TEST_F(HeatAsSystem, IsWatched) {
    const Case read = read_case(R"yaml(
problem: {type: heat, a: 1, f: 2, sigma: 0}
grid: {shape: [3, 4]}
time: {end: 10, dt: 0.1, method: rk4, stop_when: "total > 59"}
watch: {every_steps: 5, integrals: {total: {sum: u}}, probes: {middle: {x: 2, y: 1.5}}}
)yaml");
    const Solution run = run_all(read, host_device()).back();
    EXPECT_NEAR(run.time, 2.5, 1.0e-12);
    EXPECT_NEAR(run.series->variables[0].values.back(), 60.0, 1.0e-10);
    EXPECT_NEAR(run.series->variables[1].values.back(), 5.0, 1.0e-10);
}

TEST_F(HeatAsSystem, HasTheBitsOfThatSystem) {
    const std::vector<double> heat = last_values(R"yaml(
problem: {type: heat, a: 1 + u^2, sigma: 0.1*t, f: {expression: "sin(x)*u", factor: 1 + t}, capacity: {expression: 2 + x}, initial: 1 + random(1)}
grid: {shape: [9, 12], spacing: 0.5}
boundary: {x-: {value: "1 + t"}, x+: {exchange: {coefficient: 2, ambient: 0.5}}, y-: {flux: {number: 0.3, factor: "cos(t)"}}}
time: {end: 0.2, dt: 0.01, method: ssprk3}
)yaml");
    const std::vector<double> system = last_values(R"yaml(
problem:
  type: system
  fields: {u: 1 + random(1)}
  let: {a: 1 + u^2, sigma: 0.1*t, f: "(sin(x)*u)*(1 + t)", capacity: 2 + x}
  equations: {u: (div(a*grad(u)) - sigma*u + f)/capacity}
grid: {shape: [9, 12], spacing: 0.5}
boundary: {x-: {value: "1 + t"}, x+: {exchange: {coefficient: 2/a, ambient: 0.5}}, y-: {flux: "(0.3*cos(t))/a"}}
time: {end: 0.2, dt: 0.01, method: ssprk3}
)yaml");
    EXPECT_EQ(heat, system);
}

/// Values of t alone are factors of heat's own kernels where steps are implicit: the same answer as by formulas, without Newton's method.
TEST_F(HeatAsSystem, SolvesValuesOfTimeAloneAsHeat) {
    const TemporaryFolder folder;
    const std::string file = (folder / "air_of_a_day.csv").string();
    std::ofstream(file) << "0 1\n0.4 3\n0.7 -1\n1 1\n";
    for (const char *const method : {"backward_euler", "crank_nicolson", "bdf2"}) {
        const std::string rest = fmt::format(
            "grid: {{shape: [5, 20], spacing: 0.05}}\ntime: {{end: 2, dt: 0.05, method: {}, snapshots: "
            "[0.33]}}\n"
            "solver: {{rtol: 1.0e-12}}\n",
            method);
        const auto of = [&](const std::string &air) {
            return read_case(fmt::format("problem: {{type: heat, a: 1 + x, capacity: 2, f: 1 + sin(t), "
                                         "tables: {{air: {{file: '{}', beyond: repeat}}}}}}\n"
                                         "boundary: {{x-: {{exchange: {{coefficient: 3, ambient: {}}}}}, x+: "
                                         "{{value: cos(3*t)}}, y-: {{flux: t}}}}\n",
                                         file, air) +
                             rest);
        };
        const Solution heat = run_all(of("2*air"), host_device()).back();
        const Solution system = run_all(of("2*air + 0*u"), host_device()).back();
        EXPECT_FALSE(heat.report.solves->corrections);
        EXPECT_TRUE(system.report.solves->corrections);
        for (std::int64_t i = 0; i < 100; ++i) {
            EXPECT_NEAR(value_at(heat.fields[0].values, i), value_at(system.fields[0].values, i), 1.0e-9)
                << method;
        }
    }
}

/// Explicit steps that are watched are those of formulas, with the same differences at every kind of side.
TEST_F(HeatAsSystem, WatchingChangesNoStep) {
    const std::string heat = R"yaml(
problem: {type: heat, a: exp(-3*x)*(1 + y), capacity: 1 + x, sigma: 0.2*y, f: x, initial: sin(x)*y}
grid: {shape: [9, 12], spacing: 0.2}
boundary: {x-: {exchange: {coefficient: 2 + y, ambient: 0.5}}, x+: {exchange: {coefficient: 5, ambient: {number: 1, factor: cos(t)}}}, y-: {flux: 0.3*x}, y+: {value: 2}}
time: {end: 0.3, method: euler, dt: 0.003}
)yaml";
    const std::vector<double> alone = last_values(heat);
    const std::vector<double> watched =
        last_values(heat + "watch: {every_steps: 7, integrals: {mean_u: {mean: u}}}\n");
    EXPECT_LT(largest_difference(alone, watched), 1.0e-13);
    EXPECT_GT(*std::ranges::max_element(alone), 1.5);
}

TEST_F(HeatAsSystem, IsWhatItWasWithoutThem) {
    const Config config = load(R"yaml(
problem: {type: heat, a: 1 + x, f: {number: 1, factor: "cos(t)"}}
grid: {shape: [8, 8]}
time: {end: 0.1}
)yaml");
    EXPECT_EQ(config.type, ProblemType::heat);
}

TEST_F(HeatAsSystem, KeepsItsUnits) {
    const Problem problem = make_problem(load(R"yaml(
problem: {type: heat, a: 1 + u}
grid: {shape: [8, 8]}
time: {end: 0.1, dt: 0.01}
output: {units: K}
)yaml"));
    EXPECT_EQ(problem.fields.at(0).unit, "K");
}

TEST_F(HeatAsSystem, ShowsMistakesAtTheirPlace) {
    const std::string rest = "grid: {shape: [8, 8]}\ntime: {end: 1}\n";
    const auto unknown = errors("problem: {type: heat, a: 1, f: 'u*fo'}\n" + rest);
    ASSERT_EQ(unknown.size(), 1U);
    EXPECT_TRUE(unknown[0].starts_with("1:35 unknown name 'fo'")) << unknown[0];
    EXPECT_EQ(errors("problem: {type: heat, a: 1, velocity: [0, 1, 2]}\n" + rest),
              Texts{"1:29 problem.velocity: expected one component for each axis of grid.shape, slowest "
                    "first, found a list of 3"});
}

}  // namespace
}  // namespace perdure::tests::heat_as_system_test
