// Steps of systems of equations on host threads: orders of accuracy, limits, noise, numbers that are not finite.
#include <cmath>
#include <complex>

#include "solver/integrators/rkl2_growth.hpp"
#include "solver/run/stable_system_step.hpp"
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
