// Steps of systems of equations on host threads: orders of accuracy, limits, noise, numbers that are not finite.
#include <cmath>
#include <complex>
#include <functional>

#include "solver/integrators/integrator.hpp"
#include "solver/integrators/rkl2_growth.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/run/stable_system_step.hpp"
#include "solver/run/time_steps.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::system_steps_test {
namespace {

TEST_F(SystemsOnHostThreads, EachIntegratorHasItsOrder) {
    const auto values = [&](const char *integrator, int steps) {
        return last_values(fmt::format(R"yaml(
problem:
  type: system
  fields: {{u: "1 + 0.3*sin(pi*x/4)*cos(pi*y/4)", v: "0.5 + 0.2*cos(pi*x/4)"}}
  equations: {{u: "0.1*lap(u) + u*v - u^2 + 0.2*sin(3*t)", v: "0.2*lap(v) - u*v + cos(t)"}}
grid: {{shape: [8, 8]}}
boundary: {{all: periodic}}
time: {{end: 1.0, dt: {:.17g}, method: {}}}
)yaml",
                                       1.0 / steps, integrator));
    };
    const std::vector<double> exact = values("rk4", 1024);
    for (const auto &[integrator, order] : {std::pair{"euler", 1}, {"ssprk3", 3}, {"rk4", 4}, {"rkl2", 2}}) {
        const double coarse = largest_difference(values(integrator, 32), exact);
        const double fine = largest_difference(values(integrator, 64), exact);
        EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << integrator << ": " << coarse << ", " << fine;
    }
}

TEST_F(SystemsOnHostThreads, HeatHasItsKnownLimitOfSteps) {
    const auto step = [&](const char *integrator, const char *equation,
                          const char *other = "lap(u)/4 - v/100") {
        const Config config = load(fmt::format(R"yaml(
problem: {{type: system, fields: {{u: random(1), v: random(2)}}, equations: {{u: "{}", v: "{}"}}}}
grid: {{shape: [16, 16], spacing: 0.5}}
boundary: {{all: periodic}}
time: {{end: 1.0, dt: auto, method: {}}}
)yaml",
                                               equation, other, integrator));
        ProblemFindings findings(config);
        const double stable = stable_system_step(config, make_problem(config), findings);
        findings.throw_if_any();
        return stable;
    };
    // eigenvalues of lap reach -8 / h^2 = -32; explicit Euler takes |dt lambda| up to 2, classical Runge-Kutta up to 2.785
    EXPECT_NEAR(step("euler", "3*lap(u)"), 2.0 / 96.0, 0.01 / 96.0);
    EXPECT_NEAR(step("rk4", "3*lap(u)"), 2.785 / 96.0, 0.01 / 96.0);
    // dx has eigenvalues up to i / h; classical Runge-Kutta takes |dt lambda| up to 2.828, the third-order method 1.732
    EXPECT_NEAR(step("rk4", "2*dx(u)"), 2.828 / 4.0, 0.02);
    EXPECT_NEAR(step("ssprk3", "2*dx(u)"), 1.732 / 4.0, 0.02);
    // waves against each other along x and y add up, whatever their directions
    EXPECT_NEAR(step("rk4", "dx(u) + dy(u)"), 2.828 / 4.0, 0.02);
    EXPECT_NEAR(step("rk4", "dx(u) - dy(u)"), 2.828 / 4.0, 0.02);
    // one cell in 256 conducts a hundred times as well
    EXPECT_NEAR(step("rk4", "if(x < 0.5 and y < 0.5, 300, 3)*lap(u)"), 2.785 / 9600.0, 0.1 / 9600.0);
    EXPECT_THROW((void)step("euler", "2*dx(u)"), Failure);
    // leapfrog takes dt omega up to 2; waves have omega up to 3 sqrt(32)
    EXPECT_NEAR(step("leapfrog", "v", "9*lap(u)"), 2.0 / (3.0 * std::sqrt(32.0)), 1.0e-6);
}

TEST(LegendreSteps, GrowAsTheirPolynomialSays) {
    using Complex = std::complex<double>;
    for (const Complex z : {Complex(-1.5, 0.0), Complex(0.0, 1.0), Complex(-2.0, 3.0)}) {
        EXPECT_LT(std::abs(rkl2_growth(2, z) - (1.0 + z + 0.5 * z * z)), 1.0e-14) << z;
        EXPECT_LT(std::abs(rkl2_growth(3, z) - (1.0 + z + 0.5 * z * z + z * z * z / 15.0)), 1.0e-14) << z;
        EXPECT_LT(std::abs(rkl2_growth(15, 1.0e-3 * z) - std::exp(1.0e-3 * z)), 1.0e-8) << z;
    }
    for (const int stages : {2, 3, 4, 15, 101}) {
        const double n = stages, limit = 0.5 * (n * n + n - 2.0);
        const double at_limit = stages % 2 == 0 ? 1.0 : 2.0 / (n * (n + 1.0));
        EXPECT_NEAR(rkl2_growth(stages, -limit).real(), at_limit, 1.0e-11) << stages;
        for (double part = 0.001; part < 1.0; part += 0.001) {
            EXPECT_LE(std::abs(rkl2_growth(stages, -part * limit)), 1.0 + 1.0e-11) << stages << ", " << part;
        }
    }
}

class LegendreRuns : public SystemsOnHostThreads {
  protected:
    [[nodiscard]] static std::string text(const std::string &problem, const std::string &grid,
                                          const std::string &time) {
        return fmt::format("problem: {}\ngrid: {}\nboundary: {{all: periodic}}\ntime: {{{}, method: rkl2}}\n",
                           problem, grid, time);
    }
    /// The case with what its stages follow from; `found`: what is said of it.
    [[nodiscard]] Case with_stable_step(const std::string &text, Texts &found) const {
        Case read = read_case(text);
        ProblemFindings findings(read.config);
        read.problem.stable_time_step = stable_system_step(read.config, read.problem, findings);
        for (const Diagnostic &warning : findings.warnings()) {
            found.push_back(warning.message);
        }
        try {
            findings.throw_if_any();
        } catch (const Failure &failure) {
            found.emplace_back(failure.what());
        }
        return read;
    }
    /// The largest difference of field 0 from `exact` at the end, after comparing with the reference.
    [[nodiscard]] double error(const std::string &text,
                               const std::function<double(double x, double y)> &exact) const {
        Texts found;
        const Case read = with_stable_step(text, found);
        const PreparedCase prepared = prepare_as_read(read, host_device());
        const Solution last = run_all(read, host_device()).back();
        const reference::Answers answers =
            prepared.plan.method->reference(prepared.problem, step_sizes(time_segments(prepared)));
        EXPECT_LT(compare(last.fields[0].values, answers[0].values).max_relative, 1.0e-10) << text;
        const Grid &grid = read.problem.grid;
        double largest = 0.0;
        for (std::int64_t i = 0; i < grid.count(); ++i) {
            const double x =
                (static_cast<double>(i % grid.cells[0]) + 0.5) / static_cast<double>(grid.cells[0]);
            const double y =
                (static_cast<double>(i / grid.cells[0]) + 0.5) / static_cast<double>(grid.cells[1]);
            largest = std::max(largest, std::abs(value_at(last.fields[0].values, i) - exact(x, y)));
        }
        return largest;
    }
};

TEST_F(LegendreRuns, AreStableWhereTransportLimitsThem) {
    const double turn = 2.0 * std::acos(-1.0);
    const std::string heat = R"yaml({type: heat, a: 1e-4, velocity: [1], initial: "1+sin(2*pi*x)"})yaml";
    for (const char *const time : {"end: 2", "end: 2, dt: 0.004"}) {
        EXPECT_LT(error(text(heat, "{shape: [128], length: 1}", time),
                        [&](double x, double) {
                            return 1.0 + std::exp(-2.0e-4 * turn * turn) * std::sin(turn * x);
                        }),
                  0.02)
            << time;
    }
    const std::string in_plane = R"yaml({type: system, fields: {u: "1 + sin(2*pi*(x + y))"},
  equations: {u: 0.001*lap(u) - dx(u) - 0.5*dy(u)}})yaml";
    EXPECT_LT(error(text(in_plane, "{shape: [32, 32], spacing: 0.03125}", "end: 2"),
                    [&](double x, double y) {
                        return 1.0 + std::exp(-0.004 * turn * turn) * std::sin(turn * (x + y - 3.0));
                    }),
              0.2);
}

TEST_F(LegendreRuns, AreRefusedWhereTheyAmplify) {
    const std::string rotation = R"yaml({type: system, fields: {u: "sin(2*pi*x)", v: "cos(2*pi*x)"},
  equations: {u: 0.001*lap(u) + 40*v, v: 0.001*lap(v) - 40*u}})yaml";
    const std::string transport = "{type: system, fields: {u: random(1)}, equations: {u: -dx(u)}}";
    for (const std::string &problem : {rotation, transport}) {
        for (const char *const time : {"end: 2", "end: 2, dt: 0.01"}) {
            Texts found;
            (void)with_stable_step(text(problem, "{shape: [32], spacing: 0.03125}", time), found);
            ASSERT_EQ(found.size(), 1U) << problem << time;
            EXPECT_NE(found[0].find("time.method: rkl2 is for diffusion, and amplifies oscillations"),
                      std::string::npos)
                << found[0];
        }
    }
    const std::string heat = R"yaml({type: heat, a: 1e-4, velocity: [1], initial: "1+sin(2*pi*x)"})yaml";
    Texts found;
    const Case read = with_stable_step(text(heat, "{shape: [128], length: 1}", "end: 2, dt: 0.1"), found);
    EXPECT_TRUE(found.empty());
    EXPECT_LT(integrator_of(read.config).stable_time_step({read.problem.stable_time_step}), 0.012);
}

TEST_F(LegendreRuns, TakeAllTheirStagesWhereDiffusionLimitsThem) {
    const std::string heat = "{type: system, fields: {u: random(1)}, equations: {u: lap(u)}}";
    for (const auto &[time, stages] : {std::pair{"end: 90", 15},
                                       {"end: 90, dt: 1.24", 3},
                                       {"end: 90, dt: 1.26", 5},
                                       {"end: 90, dt: 29.7", 15}}) {
        Texts found;
        const Case read = with_stable_step(text(heat, "{shape: [16]}", time), found);
        EXPECT_TRUE(found.empty()) << time;
        const double step = read.config.time->step.value_or(0.9 * 59.5 * 0.5);
        EXPECT_EQ(integrator_of(read.config).stages_of_step(step, read.problem.stable_time_step), stages)
            << time;
    }
}

/// Up to snapshots that are a little further apart than a step of 15 stages, two steps of 11 are enough. Four steps to 90 take 15 stages each,
/// and need not be the longest of these.
TEST_F(LegendreRuns, ChooseAutomaticStepsByTheirStages) {
    const std::string heat = "{type: system, fields: {u: random(1)}, equations: {u: lap(u)}}";
    for (const auto &[time, in_euler] : {std::pair{"end: 90", 52.0},
                                         {"end: 90, snapshots: {every: 27}", 32.5},
                                         {"end: 1", 2.5 / 0.9},
                                         {"end: 90, snapshots: {every: 26.7}", 59.5}}) {
        Texts found;
        const Case read = with_stable_step(text(heat, "{shape: [16]}", time), found);
        const double step = choose_time_step(read.config, {read.problem.stable_time_step});
        EXPECT_NEAR(step, std::min(0.9 * in_euler * 0.5, read.config.time->end), 1.0e-9) << time;
    }
}

/// u'' = lap(u): the fastest oscillation of the grid has |lambda| = 2, and rk4 is stable up to dt |lambda| = sqrt(8).
TEST_F(SystemsOnHostThreads, AWarningSaysWhereStepsDampOscillations) {
    const auto warnings = [&](const std::string &method, double part) {
        const Config config = load(fmt::format(R"yaml(
problem: {{type: system, fields: {{u: random(1), v: 0}}, equations: {{u: v, v: lap(u)}}}}
grid: {{shape: [32]}}
boundary: {{all: periodic}}
time: {{end: 30, dt: {:.17g}, method: {}}}
)yaml",
                                               part * std::sqrt(2.0), method));
        ProblemFindings findings(config);
        (void)stable_system_step(config, make_problem(config), findings);
        Texts found;
        for (const Diagnostic &warning : findings.warnings()) {
            found.push_back(warning.message);
        }
        return found;
    };
    const Texts found = warnings("rk4", 0.95);
    ASSERT_EQ(found.size(), 1U);
    const double z = 0.95 * std::sqrt(8.0);
    const double left = std::hypot(1.0 - z * z / 2.0 + z * z * z * z / 24.0,
                                   z - z * z * z / 6.0);  // Taylor's polynomial of exp(i z)
    EXPECT_NE(found[0].find(fmt::format("after a step {:.0f} % of them are left", 100.0 * left)),
              std::string::npos)
        << found[0];
    EXPECT_TRUE(warnings("rk4", 0.85).empty());
    EXPECT_TRUE(warnings("leapfrog", 0.7).empty()) << "close to its own limit, where it damps nothing";
}

/// Heat that a flux of -c u takes away is as stiff as c / h, and steps of dt: auto are stable.
TEST_F(SystemsOnHostThreads, FormulasOfSidesLimitSteps) {
    const auto text = [](const std::string &dt) {
        return fmt::format(R"yaml(
problem: {{type: system, fields: {{u: 1 + random(1)}}, equations: {{u: lap(u)}}}}
grid: {{shape: [8, 8], spacing: 0.5}}
boundary: {{x-: {{flux: -50*u}}, x+: {{value: 0}}, y-: {{exchange: {{coefficient: 1.0e6, ambient: 0}}}}}}
time: {{end: 2.0, dt: {}, integrator: euler}}
)yaml",
                           dt);
    };
    const Config config = load(text("auto"));
    ProblemFindings findings(config);
    const double step = stable_system_step(config, make_problem(config), findings);
    // The matrix of the cells beside x- has an eigenvalue near -(1 / h^2 + c / h) = -104, that of y up to -4 / h^2 = -16.
    EXPECT_NEAR(step, 2.0 / 122.0, 0.05 * 2.0 / 122.0);
    const std::vector<double> values = last_values(text(fmt::format("{:.17g}", 0.9 * step)));
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 1.0);
    EXPECT_GT(*std::min_element(values.begin(), values.end()), -1.0e-6);
}

/// du = -u dt + sqrt(2) dW in each cell: after a while u has variance 1 / (cell size), by steps of Euler and Maruyama 1 / (1 - dt / 2) of it.
TEST_F(SystemsOnHostThreads, NoiseIsWhiteInSpaceAndTime) {
    for (const double dt : {0.05, 0.2}) {
        const std::vector<double> values = last_values(fmt::format(R"yaml(
problem: {{type: system, fields: {{u: 0}}, equations: {{u: -u + sqrt(2)*noise(1)}}}}
grid: {{shape: [64, 64], spacing: [0.5, 0.25]}}
time: {{end: 5, dt: {}, method: euler}}
)yaml",
                                                                   dt));
        double mean = 0.0, variance = 0.0, beside = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            mean += values[i] / 4096.0;
            variance += values[i] * values[i] / 4096.0;
            beside += values[i] * values[(i + 1) % values.size()] / 4096.0;
        }
        const double expected = 8.0 / (1.0 - 0.5 * dt), error = 4.0 / 64.0;  // four standard deviations
        EXPECT_NEAR(mean, 0.0, error * std::sqrt(expected)) << dt;
        EXPECT_NEAR(variance, expected, error * std::sqrt(2.0) * expected) << dt;
        EXPECT_NEAR(beside, 0.0, error * expected) << dt;
    }
}

TEST_F(SystemsOnHostThreads, ANumberThatIsNotFiniteStopsTheRun) {
    Case read{load(R"yaml(
problem: {type: system, fields: {u: 1 + x}, equations: {u: u^3}}
grid: {shape: [4, 4]}
time: {end: 10.0, dt: 0.5, method: euler}
solver: {check_every: 1}
)yaml"),
              {}};
    read.problem = make_problem(read.config);
    const Solution last = run_all(read, host_device()).back();
    EXPECT_EQ(last.report.stop, StopReason::not_finite);
    EXPECT_EQ(last.report.bad_cell.value_or(-1) % 4, 3);  // the largest u
}

}  // namespace
}  // namespace perdure::tests::system_steps_test
