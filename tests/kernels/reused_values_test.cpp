// Steps whose cells take values from the cell before (solver/systems/reuse.hpp), on grids whose boxes have columns of several cells: the
// bits of host threads, which compute everything anew.
#include <algorithm>

#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::reused_values_test {
namespace {

struct Reusing {
    const char *name;
    const char *text;  // of the case but for the execution
};

/// Without functions that each back end rounds in its own way. Boxes have 2 to 4 rows, the last ones fewer.
const std::vector<Reusing> systems{
    {"a conservation law along waves, periodic", R"yaml(
problem:
  type: system
  fields: {u: 0.3 + 0.5*random(1)}
  let: {speed: "sqrt(1 + u^2)"}
  equations: {u: "conserve(u/(1 + u^2), u^2/(1 + u^2); speed)"}
grid: {shape: [700, 690]}
boundary: {all: periodic}
time: {end: 0.3, dt: {cfl: 0.5}, method: euler}
)yaml"},
    {"in two stages and more, sides with formulas", R"yaml(
problem:
  type: system
  fields:
    u: {initial: "0.5 + 0.5*random(1)", boundary: {y-: {value: "1 + x/1000 + t"}, x+: {flux: "0.1*u"}}}
    v: {initial: "0.25*random(2)", boundary: {y+: {exchange: {coefficient: 0.5, ambient: 2 + u/10}}}}
  equations:
    u: "conserve(u^2/2, u^2/3; sqrt(1 + u^2)) + 0.1*lap(u)"
    v: "0.1*lap(v) - 0.1*u*v"
grid: {shape: [4000, 40]}
time: {end: 0.02, dt: 0.01, method: ssprk3}
)yaml"},
    {"super time steps", R"yaml(
problem:
  type: system
  fields: {u: random(1), v: {initial: random(2), boundary: {y-: {value: 0.5}}}}
  equations: {u: "lap(u) - u*v^2 + z/1000", v: "0.5*lap(v) + u*v^2"}
grid: {shape: [64, 64, 63]}
time: {end: 0.2, dt: 0.1, method: rkl2}
)yaml"},
    {"waves in one phase", R"yaml(
problem:
  type: system
  fields: {u: {initial: random(1), boundary: {y-: {value: 1}}}, v: 0}
  equations: {u: v, v: "lap(u) - u^3"}
grid: {shape: [64, 64, 63]}
time: {end: 0.8, dt: 0.2, method: leapfrog}
)yaml"},
    {"waves in three phases", R"yaml(
problem:
  type: system
  fields: {u: random(1), v: random(2)}
  equations: {u: "0.1*lap(v) - 0.3*v", v: "u*abs(u) - 0.1*lap(u)"}
grid: {shape: [64, 64, 64]}
boundary: {y-: periodic, y+: periodic}
time: {end: 0.8, dt: 0.2, method: leapfrog}
)yaml"},
    {"chosen steps, layers", R"yaml(
problem:
  type: system
  fields: {u: {initial: random(1), boundary: {z-: {value: 0.5}, x-: {value: z/100}}}, v: random(2)}
  equations: {u: "0.2*lap(u) - u*v^2", v: "0.1*lap(v) + u*v^2"}
grid: {shape: [65, 63, 64]}
boundary: {y-: periodic, y+: periodic}
time: {end: 0.5, method: rk23, rtol: 1.0e-3, atol: 1.0e-3}
)yaml"},
};

class ReusedValues : public SystemRuns {};

TEST_P(ReusedValues, HaveTheBitsOfHostThreads) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const Reusing &system : systems) {
            SCOPED_TRACE(fmt::format("{} on {}", system.name, device->description().name));
            const Case test_case = read(system.text);
            const PreparedCase prepared = prepare_as_read(test_case, *device);
            EXPECT_GT(prepared.plan.boxes.rows, 1U);
            EXPECT_EQ(prepared.plan.definitions.find("SYSTEM_REUSED") != std::string::npos,
                      GetParam() != BackendChoice::host);
            const Solution last = run_all(test_case, *device).back();
            ASSERT_EQ(last.report.stop, StopReason::complete);
            EXPECT_GT(last.report.iterations, 1);
            EXPECT_TRUE(same_bits(run_all(test_case, host_device()).back(), last));
        }
    }
}

PERDURE_ON_EACH_BACK_END(ReusedValues);

}  // namespace
}  // namespace perdure::tests::reused_values_test
