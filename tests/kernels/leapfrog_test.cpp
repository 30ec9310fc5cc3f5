// Leapfrog: its order, the energy that it keeps, what it refuses. With the other methods: systems_of_equations_test.cpp.
#include "solver/run/stable_system_step.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::leapfrog_test {
namespace {

using Leapfrog = SystemsOnHostThreads;

TEST_F(Leapfrog, HasOrderTwo) {
    for (const char *const equations : {"{u: v, v: \"lap(u) - u^3 + 0.1*sin(t)\"}",
                                        "{u: \"0.5*lap(v) - 0.3*v\", v: \"u*abs(u) - 0.5*lap(u)\"}"}) {
        const auto values = [&](const char *method, int steps) {
            return last_values(fmt::format(R"yaml(
problem:
  type: system
  fields: {{u: "0.3*sin(pi*x/4)*cos(pi*y/4) + 1", v: "0.2*cos(pi*x/4)"}}
  equations: {}
grid: {{shape: [8, 8]}}
boundary: {{all: periodic}}
time: {{end: 1.0, dt: {:.17g}, method: {}}}
)yaml",
                                           equations, 1.0 / steps, method),
                               1);
        };
        const std::vector<double> exact = values("rk4", 1024);
        const double coarse = largest_difference(values("leapfrog", 16), exact);
        const double fine = largest_difference(values("leapfrog", 32), exact);
        EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << equations << ": " << coarse << ", " << fine;
    }
}

/// u . A u + v . v - dt^2/4 v . A v, A = -lap on a periodic grid of spacing 1.
double energy_of_waves(const Solution &solution, std::int64_t nx, std::int64_t ny, double dt) {
    const auto product = [&](std::size_t field) {
        double sum = 0.0;
        for (std::int64_t i = 0; i < nx * ny; ++i) {
            const std::int64_t x = i % nx, y = i / nx;
            const auto value = [&](std::int64_t at) { return value_at(solution.fields[field].values, at); };
            sum += std::pow(value(y * nx + (x + 1) % nx) - value(i), 2) +
                   std::pow(value((y + 1) % ny * nx + x) - value(i), 2);
        }
        return sum;
    };
    double squares = 0.0;
    for (std::int64_t i = 0; i < nx * ny; ++i) {
        squares += std::pow(value_at(solution.fields[1].values, i), 2);
    }
    return product(0) + squares - 0.25 * dt * dt * product(1);
}

TEST_F(Leapfrog, KeepsTheEnergyOfWaves) {
    Case read{load(R"yaml(
problem: {type: system, fields: {u: random(1), v: 0}, equations: {u: v, v: lap(u)}}
grid: {shape: [9, 10]}
boundary: {all: periodic}
time: {end: 8000.0, dt: 0.4, method: leapfrog, snapshots: [0.4]}
solver: {check_every: 1000}
)yaml"),
              {}};
    read.problem = make_problem(read.config);
    const std::vector<Solution> found = run_all(read, host_device());
    const double early = energy_of_waves(found.front(), 10, 9, 0.4),
                 late = energy_of_waves(found.back(), 10, 9, 0.4);
    EXPECT_EQ(found.back().report.iterations, 20000);
    EXPECT_LT(std::abs(late - early), 2.0e-12 * early) << early << ", " << late;
}

TEST_F(Leapfrog, NamesTheTermThatItCannotTake) {
    const Config config = load(R"yaml(
problem:
  type: system
  fields: {u: random(1), v: random(2)}
  parameters: {d: 0.1}
  let: {drag: d*v}
  equations: {u: v, v: lap(u) + 2 - 3*drag}
grid: {shape: [9, 10]}
time: {end: 1, method: leapfrog}
)yaml");
    ProblemFindings findings(config);
    (void)stable_system_step(config, make_problem(config), findings);
    std::string message;
    try {
        findings.throw_if_any();
    } catch (const Failure &failure) {
        message = failure.what();
    }
    EXPECT_NE(message.find("the rate of 'v' depends on 'v' itself by its term '3*drag'"), std::string::npos)
        << message;
}

}  // namespace
}  // namespace perdure::tests::leapfrog_test
