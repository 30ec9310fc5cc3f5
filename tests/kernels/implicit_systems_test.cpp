// Implicit steps of systems of equations: Newton's method with bicgstab, a whole run in one launch, on every back end.
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "solver/reference/compare_fields.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::implicit_systems_test {
namespace {

constexpr std::array integrators{"backward_euler", "crank_nicolson", "bdf2"};
/// Of whichever terms.
constexpr std::array all_integrators{"backward_euler", "crank_nicolson", "bdf2", "imex"};

/// What stands in `time` of the method.
std::string method_text(const std::string &integrator, const std::string &implicit) {
    return integrator == "imex" ? "method: imex, implicit: " + implicit : "method: " + integrator;
}

/// Sides of every kind, of fields and of time, coefficients in cells, functions, and steps of three sizes.
std::string varied_system(const std::string &integrator, const std::string &shape = "[5, 6]") {
    return fmt::format(R"yaml(
problem:
  type: system
  fields:
    u: {{initial: "1 + 0.3*sin(pi*x/4)*cos(pi*y/4)", boundary: {{x-: {{value: "1 + 0.1*t"}}, x+: {{flux: "-0.2*(u^4 - 0.5)"}}, y-: {{exchange: {{coefficient: "0.3 + 0.1*v^2", ambient: "0.7"}}}}, y+: {{flux: "0.1*v"}}}}}}
    v: {{initial: "0.5 + 0.2*cos(pi*x/4)", boundary: {{x-: {{flux: 0}}, x+: {{value: "u/2"}}, y-: {{value: 0.5}}, y+: {{exchange: {{coefficient: 2, ambient: "u"}}}}}}}}
  coefficients: {{k: "1 + 0.5*sin(x)"}}
  parameters: {{D: 0.4}}
  let: {{diffusion: div(k*(1 + u^2)*grad(u)), r: "u^2*v - max(u, 1.1)*exp(-v)"}}
  equations:
    u: "0.2*sin(3*t) + diffusion + r"
    v: "D*lap(v) - r - tanh(u)*upwind((0.3, -0.2), v) + sqrt(1 + u^2)/(2 + v)"
grid: {{shape: {}, spacing: 0.7}}
time: {{end: 1.0, dt: 0.11, {}, snapshots: [0.35, 0.5]}}
solver: {{rtol: 1.0e-12}}
)yaml",
                       shape, method_text(integrator, "[diffusion, v]"));
}

class ImplicitSystems : public SystemRuns {};

TEST_P(ImplicitSystems, AgreeWithTheReference) {
    for (const auto &device : devices()) {
        for (const char *const integrator : all_integrators) {
            const Case of = read(varied_system(integrator));
            const PreparedCase prepared = prepare_as_read(of, *device);
            const Solution solution = run_case(prepared, Progress::Style::quiet, [](const Solution &) {});
            ASSERT_EQ(solution.report.stop, StopReason::complete) << integrator;
            const auto answers =
                prepared.plan.method->reference(prepared.problem, step_sizes(time_segments(prepared)));
            for (std::size_t field = 0; field < answers.size(); ++field) {
                EXPECT_LT(compare(solution.fields[field].values, answers[field].values).max_relative, 1.0e-9)
                    << integrator << " " << field;
            }
            const SolvesOfSteps &solves = solution.report.solves.value();
            EXPECT_LE(solves.most_corrections, 6) << "Newton's method converges quadratically";
            EXPECT_GE(solves.iterations, solves.corrections.value());
            if (device->description().shared_control) {
                EXPECT_EQ(solution.report.launches, 3) << "one between two snapshots";
            }
        }
    }
}

TEST_P(ImplicitSystems, HaveTheSameBitsHoweverTheyAreLaunched) {
    for (const auto &device : devices()) {
        for (const char *const integrator : all_integrators) {
            const Case of = read(varied_system(integrator, "[23, 27]"));
            const Solution expected = run_all(of, *device).back();
            for (const int groups : {1, 2}) {
                Case other = of;
                other.config.execution.groups = groups;
                EXPECT_TRUE(same_bits(run_all(other, *device).back(), expected)) << groups;
            }
            Case other = of;
            other.config.execution.model = ExecutionModel::launches;
            EXPECT_TRUE(same_bits(run_all(other, *device).back(), expected));
        }
    }
}

/// Of operations that every back end rounds alike.
TEST_P(ImplicitSystems, HaveTheBitsOfHostThreads) {
    const Case of = read(R"yaml(
problem:
  type: system
  fields:
    u: {initial: "1 - (x - 5)*(y - 8)/80", boundary: {x-: {flux: "0.1 - u^2/9"}, y+: {exchange: {coefficient: v, ambient: 0.5}}}}
    v: {initial: "(x - 5)^2/50 + 0.1", boundary: {x+: {value: "u/3"}}}
  let: {r: u*v^2}
  equations: {u: "lap(u) - r + 0.4*(1 - u)", v: "div((1 + u^2)*grad(v))/2 + r - abs(v)*sqrt(1 + u^2)/2"}
grid: {shape: [37, 45], spacing: 0.4}
time: {end: 2, dt: 0.25, method: bdf2}
)yaml");
    const Solution expected = run_all(of, host_device()).back();
    EXPECT_EQ(expected.report.stop, StopReason::complete);
    for (const auto &device : devices()) {
        EXPECT_TRUE(same_bits(run_all(of, *device).back(), expected));
    }
}

TEST_P(ImplicitSystems, EndWithAStepThatHasNoSolution) {
    for (const auto &device : devices()) {
        // U - dt U^2 = u has no real solution where 4 dt u > 1.
        const Solution solution = run_all(read(R"yaml(
problem: {type: system, fields: {u: 1 + x/10}, equations: {u: u^2}}
grid: {shape: [4, 4]}
time: {end: 1.0, dt: 0.2, method: backward_euler}
)yaml"),
                                          *device)
                                      .back();
        EXPECT_EQ(solution.report.stop, StopReason::stagnated);
        EXPECT_EQ(solution.report.iterations, 0);
        EXPECT_GT(solution.report.residual, solution.report.tolerance);
        EXPECT_FALSE(solution.report.advice.empty());
    }
}

PERDURE_ON_EACH_BACK_END(ImplicitSystems);

TEST_F(SystemsOnHostThreads, ImplicitMethodsHaveTheirOrders) {
    const auto values = [&](const std::string &equations, const char *integrator, int steps) {
        return last_values(fmt::format(R"yaml(
problem:
  type: system
  fields: {{u: "1 + 0.3*sin(pi*x/4)*cos(pi*y/4)", v: "0.5 + 0.2*cos(pi*x/4)"}}
  equations: {{{}}}
grid: {{shape: [8, 8]}}
boundary: {{all: periodic}}
time: {{end: 1.0, dt: {:.17g}, {}}}
{}
)yaml",
                                       equations, 1.0 / steps, method_text(integrator, "[u]"),
                                       std::string(integrator) == "rk4" ? "" : "solver: {rtol: 1.0e-11}"));
    };
    for (
        const char *const equations :
        {R"eq(u: "0.1*lap(u) + u*v - u^2 + 0.2*sin(3*t)", v: "0.2*lap(v) - u*v + cos(t)")eq",  // of time
         R"eq(u: "0.05*lap(u) + u - u^3", v: "0.3*lap(v)")eq",  // Allen and Cahn
         R"eq(u: "0.2*lap(u) - u*v^2 + 0.4*(1 - u)", v: "0.1*lap(v) + u*v^2 - 0.6*v")eq"}) {  // Gray and Scott
        const std::vector<double> exact = values(equations, "rk4", 512);
        for (const auto &[integrator, order] :
             {std::pair{"backward_euler", 1}, {"crank_nicolson", 2}, {"bdf2", 2}, {"imex", 2}}) {
            const double coarse = largest_difference(values(equations, integrator, 40), exact);
            const double fine = largest_difference(values(equations, integrator, 80), exact);
            EXPECT_NEAR(std::log2(coarse / fine), order, 0.1)
                << integrator << " of " << equations << ": " << coarse << ", " << fine;
        }
    }
}

TEST_F(SystemsOnHostThreads, ImplicitDiffusionIsThatOfAHeatProblem) {
    for (const char *const integrator : integrators) {
        const auto values = [&](const char *problem) {
            return last_values(fmt::format(R"yaml(
problem: {}
grid: {{shape: [12, 15], spacing: 0.1}}
boundary: {{x-: {{value: 1}}, x+: {{exchange: {{coefficient: 3, ambient: 0.2}}}}, y-: {{flux: 0.4}}}}
time: {{end: 2.0, dt: 0.2, method: {}, snapshots: [0.5]}}
solver: {{rtol: 1.0e-13}}
)yaml",
                                           problem, integrator));
        };
        const double difference = largest_difference(
            values("{type: heat, a: 1, sigma: 0.3, f: y, initial: sin(x)*y}"),
            values("{type: system, fields: {u: sin(x)*y}, equations: {u: lap(u) - 0.3*u + y}}"));
        EXPECT_LT(difference, 1.0e-10) << integrator;
    }
}

/// Steps of a hundred times the explicit limit h^2 / 4 D, of what reacts fast too, go to the steady state  u = 1, v = 0.5.
TEST_F(SystemsOnHostThreads, StiffSystemsTakeLongSteps) {
    for (const char *const integrator : integrators) {
        const auto values = [&](std::size_t field) {
            return last_values(fmt::format(R"yaml(
problem:
  type: system
  fields: {{u: "1 + random(1)/2", v: "0.5 + random(2)/5"}}
  equations: {{u: "lap(u) + 100*(1 - u^3)", v: "2*lap(v) + 50*(u^2 - 4*v^2)"}}
grid: {{shape: [16, 16], spacing: 0.0625}}
time: {{end: 10, dt: 0.0976, method: {}}}
)yaml",
                                           integrator),
                               field);
        };
        const double bound = std::string(integrator) == "crank_nicolson" ? 0.1 : 1.0e-6;
        EXPECT_LT(largest_difference(values(0), std::vector<double>(256, 1.0)), bound) << integrator;
        EXPECT_LT(largest_difference(values(1), std::vector<double>(256, 0.5)), bound) << integrator;
    }
}

/// The linear part is implicit: a linear system in each step, and no second correction but where the first one was rounded.
TEST_F(SystemsOnHostThreads, ImplicitTermsThatAreLinearNeedOneCorrection) {
    Case of{load(R"yaml(
problem:
  type: system
  fields: {u: tanh(random(1) - 0.5)}
  let: {diffusion: lap(u)/10}
  equations: {u: u - u^3 + diffusion}
grid: {shape: [16, 16], spacing: 0.05}
boundary: {all: periodic}
time: {end: 1, dt: 0.05, method: imex, implicit: [diffusion]}
)yaml"),
            {}};
    of.problem = make_problem(of.config);
    const Solution last = run_all(of, host_device()).back();
    EXPECT_EQ(last.report.stop, StopReason::complete);
    EXPECT_EQ(last.report.iterations, 20);
    EXPECT_EQ(last.report.solves.value().corrections.value(), 20);
}

TEST_F(SystemsOnHostThreads, ImplicitStepsTakeSinglePrecision) {
    const auto values = [&](const char *precision) {
        return last_values(fmt::format(R"yaml(
problem:
  type: system
  fields: {{u: "sin(x)*cos(y)", v: 1}}
  equations: {{u: "conserve(u^2/2, 0; abs(u)) + lap(u)", v: "10*lap(v) - u*v"}}
grid: {{shape: [16, 24], spacing: 0.25}}
boundary: {{all: periodic}}
time: {{end: 2, dt: 0.1, method: bdf2}}
execution: {{precision: {}}}
)yaml",
                                       precision),
                           1);
    };
    const double difference = largest_difference(values("float32"), values("float64"));
    EXPECT_LT(difference, 1.0e-4);
    EXPECT_GT(difference, 0.0);
}

TEST_F(SystemsOnHostThreads, NamesOfImplicitTermsAreChecked) {
    const auto message = [&](const std::string &time) {
        try {
            (void)load(
                "problem: {type: system, fields: {u: 0, v: 0}, let: {mu: u^2, part: lap(mu)}, equations: "
                "{u: part - v, v: u}}\ngrid: {shape: [8, 8]}\ntime: {end: 1, dt: 0.1, " +
                time + "}\n");
        } catch (const Failure &failure) {
            return std::string(failure.what());
        }
        return std::string();
    };
    EXPECT_EQ(message("method: imex, implicit: [part, v]"), "");
    EXPECT_NE(message("method: imex, implicit: [parts]").find("did you mean 'part'?"), std::string::npos);
    EXPECT_NE(message("method: imex, implicit: [mu]").find("no term of an equation contains 'mu'"),
              std::string::npos);
    EXPECT_NE(message("method: imex").find("time.implicit"), std::string::npos);
    EXPECT_NE(message("method: bdf2}\nsolver: {method: cg").find("solved by Newton's method with bicgstab"),
              std::string::npos);
    EXPECT_NE(message("method: bdf2, implicit: [u]").find("the method is bdf2"), std::string::npos);
}

}  // namespace
}  // namespace perdure::tests::implicit_systems_test
