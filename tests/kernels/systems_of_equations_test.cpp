// Systems of equations from case files: the reference, execution models, groups.
#include <algorithm>
#include <span>

#include "solver/integrators/integrator.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/run/time_steps.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::systems_of_equations_test {
namespace {

struct System {
    const char *name;
    const char *text;  // of the case but for time and execution
    double step;
    bool same_bits;  // on every back end: it asks for nothing that is rounded in each one's own way
    std::vector<const char *> methods{"ssprk3", "euler", "rk4"};
};

/// Every operator, kind of side and source of values, in 2D and 3D, on odd shapes.
const std::vector<System> systems{
    {"reaction",
     R"yaml(
problem:
  type: system
  fields: {u: "1 - 0.5*random(3)", v: "0.25*random(4)"}
  parameters: {Du: 0.2, Dv: 0.1, F: 0.04, k: 0.06}
  let: {r: u*v^2}
  equations: {u: "Du*lap(u) - r + F*(1 - u) + 0.01*lap(random(6))", v: Dv*lap(v) + r - (F + k)*v}
grid: {shape: [13, 17]}
boundary: {all: periodic}
)yaml",
     0.5,
     true,
     {"rk45", "ssprk3", "euler", "rk4", "rk23", "rkl2"}},
    {"noise", R"yaml(
problem: {type: system, fields: {u: 0}, equations: {u: "0.2*lap(u) + 0.01*noise(8)"}}
grid: {shape: [12, 17]}
boundary: {all: periodic}
)yaml",
     0.5, true},
    {"sides", R"yaml(
problem:
  type: system
  fields:
    u: {initial: "sin(x) + y", boundary: {x-: {value: "1 + 0.1*y*cos(3*t)"}, y+: {exchange: {coefficient: 0.5, ambient: 2 + u/10}}}}
    v: {initial: "x*y/50", boundary: {x+: {flux: "0.2 - 0.1*u^2"}, y-: {value: u}}}
  equations: {u: "lap(u) + 0.1*dx(v) - 0.05*dy(u*v)", v: "div((1 + u^2)*grad(v)) + dot(grad(u), grad(v))/10 - v"}
grid: {shape: [11, 9], spacing: [0.5, 0.7], origin: [1, -1]}
)yaml",
     0.005, false},
    {"fourth_order",
     R"yaml(
problem:
  type: system
  fields: {c: {initial: "0.1*(random(1) - 0.5)", boundary: {x-: {value: 0.05}}}}
  let: {mu: c^3 - c - 0.5*lap(c)}
  equations: {c: lap(mu)}
grid: {shape: [10, 12]}
boundary: {y-: periodic, y+: periodic}
)yaml",
     0.01,
     true,
     {"rkl2", "rk23", "rk45"}},
    {"conservation_law",
     R"yaml(
problem:
  type: system
  fields: {h: "if(x < 4 or y > 5, 1, 0.3)", qx: 0, qy: "0.1*random(5)"}
  let:
    c: sqrt(9.81*h)
    speed: max(abs(qx), abs(qy))/h + c
    slowest: (qx/h - c, qy/h - c)
    fastest: (qx/h + c, qy/h + c)
  equations:
    h: conserve(qx, qy; speed)
    qx: conserve(qx^2/h + 9.81*h^2/2, qx*qy/h; slowest, fastest)
    qy: conserve(qx*qy/h, qy^2/h + 9.81*h^2/2; slowest, fastest, minmod) + conserve(y*h, -x*h; 8, minmod)/9
grid: {shape: [9, 14], spacing: 0.6}
boundary: {x-: periodic, x+: periodic}
)yaml",
     0.02,
     true,
     {"cfl ssprk3", "cfl euler", "cfl rk4", "ssprk3"}},
    {"three_dimensions", R"yaml(
problem:
  type: system
  fields:
    u: {initial: "x*y - z", boundary: {z-: {value: "x + t"}}}
    w: 0.5
  parameters: {wind: 0.7}
  equations:
    u: "div(grad(u)*(1 + w)) - upwind((wind, -wind, z), u) + dzz(w)"
    w: "if(u > 1 and not w > 2, 0.1*u, -0.1*w) + min(u, 2, w)*exp(-t) - 0.01*tanh(u)"
grid: {shape: [5, 6, 7], spacing: 0.8}
boundary: {x-: periodic, x+: periodic}
)yaml",
     0.02, false},
    {"waves",
     R"yaml(
problem:
  type: system
  fields:
    v: 0.1
    u: {initial: "exp(-((x-3)^2 + (y-2)^2))", boundary: {x-: {value: "0.1*sin(3*t) + u/5"}, y+: {exchange: {coefficient: 0.5, ambient: 0.1}}}}
    w: "random(3)"
  equations: {u: v, v: "div((1 + 0.2*random(2))*grad(u)) - u^3 + 0.1*t", w: t}
grid: {shape: [11, 9], spacing: [0.5, 0.7]}
)yaml",
     0.1,
     false,
     {"leapfrog"}},
    {"schroedinger",
     R"yaml(
problem:
  type: system
  fields: {re: "random(1)", im: {initial: "0.3*random(2)", boundary: {x+: {value: 0.5}}}}
  let: {V: "0.01*(x - 4)^2"}
  equations: {re: "V*im - 0.5*lap(im)", im: "0.5*lap(re) - V*re + 0.1*re*abs(re)"}
grid: {shape: [7, 12]}
boundary: {y-: periodic, y+: periodic}
)yaml",
     0.1,
     true,
     {"leapfrog"}},
};

/// `method`: its word, behind `cfl ` where steps follow the fastest wave.
std::string with_time(const System &system, const std::string &method, double steps) {
    const bool by_waves = method.starts_with("cfl ");
    return fmt::format(
        "{}time: {{end: {:.17g}, dt: {}, method: {}, snapshots: [{:.17g}]}}\n"
        "solver: {{check_every: 3}}\n",
        system.text, steps * system.step, by_waves ? "{cfl: 0.3}" : fmt::format("{:.17g}", system.step),
        method.substr(by_waves ? 4 : 0), 0.37 * steps * system.step);
}

class SystemsOfEquations : public SystemRuns {};

TEST_P(SystemsOfEquations, AgreeWithTheReference) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const System &system : systems) {
            // those behind the first on host threads alone: other back ends compile each anew
            const std::size_t methods = GetParam() == BackendChoice::host ? system.methods.size() : 1;
            for (const char *const integrator : std::span(system.methods).first(methods)) {
                SCOPED_TRACE(
                    fmt::format("{} by {} on {}", system.name, integrator, device->description().name));
                const Case test_case = read(with_time(system, integrator, 10.0));
                const PreparedCase prepared = prepare_as_read(test_case, *device);
                const Solution last = run_all(test_case, *device).back();
                ASSERT_EQ(last.report.stop, StopReason::complete);
                const std::vector<double> steps = prepared.plan.method->chooses_steps
                                                      ? last.report.step_sizes
                                                      : step_sizes(time_segments(prepared));
                const reference::Answers answers = prepared.plan.method->reference(prepared.problem, steps);
                ASSERT_EQ(answers.size(), last.fields.size());
                for (std::size_t i = 0; i < answers.size(); ++i) {
                    EXPECT_LT(compare(last.fields[i].values, answers[i].values).max_relative, 1.0e-11)
                        << "field " << answers[i].field;
                }
            }
        }
    }
}

TEST_P(SystemsOfEquations, HaveTheSameBitsInEveryModelAndNumberOfGroups) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const System &system : systems) {
            SCOPED_TRACE(fmt::format("{} on {}", system.name, device->description().name));
            Case test_case = read(with_time(system, system.methods.front(), 10.0));
            const std::vector<Solution> expected = run_all(test_case, *device);
            ASSERT_EQ(expected.size(), 2U);
            test_case.config.execution.groups = 1;
            test_case.config.execution.model = ExecutionModel::launches;
            const std::vector<Solution> launches = run_all(test_case, *device);
            test_case.config.execution.groups = 2;
            test_case.config.execution.model = ExecutionModel::persistent;
            const std::vector<Solution> groups = run_all(test_case, *device);
            for (std::size_t i = 0; i < expected.size(); ++i) {
                EXPECT_TRUE(same_bits(expected[i], launches.at(i)));
                EXPECT_TRUE(same_bits(expected[i], groups.at(i)));
            }
            const Solution on_host =
                run_all(read(with_time(system, system.methods.front(), 10.0)), host_device()).back();
            if (system.same_bits) {
                EXPECT_TRUE(same_bits(on_host, expected.back()));
            }
            for (std::size_t i = 0; i < on_host.fields.size(); ++i) {
                const FieldDifference difference =
                    compare(expected.back().fields[i].values,
                            std::get<LargeVector<double>>(on_host.fields[i].values));
                EXPECT_LT(difference.max_relative, 1.0e-11) << "field " << on_host.fields[i].name;
            }
        }
    }
}

PERDURE_ON_EACH_BACK_END(SystemsOfEquations);

}  // namespace
}  // namespace perdure::tests::systems_of_equations_test
