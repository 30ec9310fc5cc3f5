// Systems of equations for each method of steps: what every method has to do in the same way is tested with all of them.
#pragma once

#include <array>
#include <string>

namespace perdure::tests {

struct SteppedSystem {
    const char *name;
    const char *equations;  // problem, grid and sides of a case file
    const char *steps;      // keys of `time`
    bool chooses_steps;
    bool solves = false;  // in each step
    [[nodiscard]] std::string text() const { return std::string("problem:") + equations; }
};

namespace stepped {

constexpr const char *reaction = R"yaml(
  type: system
  fields:
    u: {initial: "1 + x*y/20", boundary: {y-: {value: "1 + x/10"}, y+: {flux: 0.1}}}
    v: {initial: "0.25*random(4)"}
  equations: {u: "0.2*lap(u) - u*v^2", v: "0.2*lap(v) + u*v^2 - dx(u)/20"}
grid: {shape: [9, 150], spacing: [0.5, 0.25], origin: [-1, 2]}
boundary: {x-: periodic, x+: periodic}
)yaml";
constexpr const char *waves = R"yaml(
  type: system
  fields: {u: {initial: "sin(x/3)*cos(y)", boundary: {y-: {value: "0.1*x"}}}, v: 0.2*random(2)}
  equations: {u: v, v: "lap(u) - u^3 + 0.1*sin(t)"}
grid: {shape: [9, 150]}
)yaml";
constexpr const char *schroedinger = R"yaml(
  type: system
  fields: {u: "sin(x/3)*cos(y)", v: 0.2*random(2)}
  equations: {u: "0.1*lap(v) - 0.3*v", v: "u*abs(u) - 0.1*lap(u)"}
grid: {shape: [9, 150]}
boundary: {x-: periodic, x+: periodic}
)yaml";
constexpr const char *carried = R"yaml(
  type: system
  fields: {u: {initial: "if(x < 10, 3, 1)", boundary: {x-: {value: 3.0}}}, v: "x*random(1)/20"}
  equations: {u: "conserve(u^2/2, 0; abs(u))", v: "upwind((u, 0.5), v)"}
grid: {shape: [9, 150], spacing: [0.5, 0.25]}
boundary: {y-: periodic, y+: periodic}
)yaml";

}  // namespace stepped

/// Steps of given size divide 0.05.
constexpr std::array stepped_systems{
    SteppedSystem{"ssprk3", stepped::reaction, "method: ssprk3, dt: 0.02", false},
    SteppedSystem{"rkl2", stepped::reaction, "method: rkl2, dt: 0.02", false},
    SteppedSystem{"leapfrog in one phase", stepped::waves, "method: leapfrog, dt: 0.02", false},
    SteppedSystem{"leapfrog in three", stepped::schroedinger, "method: leapfrog, dt: 0.02", false},
    SteppedSystem{"rk23", stepped::reaction, "method: rk23, dt: 0.3, rtol: 1e-5, atol: 1e-7", true},
    SteppedSystem{"rk45", stepped::waves, "method: rk45, dt: 2.5, rtol: 1e-6, atol: 1e-8", true},
    SteppedSystem{"euler by waves", stepped::carried, "method: euler, dt: {cfl: 0.3}", true},
    SteppedSystem{"bdf2", stepped::reaction, "method: bdf2, dt: 0.02", false, true},
    SteppedSystem{"imex", stepped::reaction, "method: imex, implicit: [u], dt: 0.02", false, true},
    SteppedSystem{"rk4 by waves", stepped::carried, "method: rk4, dt: {cfl: 0.4}", true},
};

}  // namespace perdure::tests
