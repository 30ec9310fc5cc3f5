#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/starting_cases.hpp"

namespace perdure {

std::string starting_system_case() {
    return with_comments(
        R"(# A case of perdure: a system of equations in time, ready to run. Two substances diffuse and react.
# Rename the fields and write your own equations; `perdure validate` finds errors in them, and `perdure keys` lists all functions.
# Keys in comments show their defaults or alternatives.
format: 1                  #@ format
title: Gray-Scott reaction

problem:
  type: system
  fields:                          # the unknowns, each with its value at time 0, a formula in x, y, z, parameters and random(seed)
    u: 1 - 0.5*(abs(x - 1.25) < 0.1 and abs(y - 1.25) < 0.1)
    v: 0.25*(abs(x - 1.25) < 0.1 and abs(y - 1.25) < 0.1) + 0.01*random(1)
    # u: {initial: 1.0, units: mol/m3, boundary: {x-: {value: 0.0}}}
  parameters: {Du: 2.0e-5, Dv: 1.0e-5, F: 0.04, k: 0.06}
  let:                             # named parts of formulas
    r: u*v^2
  equations:                       # du/dt of each field
    u: Du*lap(u) - r + F*(1 - u)
    v: Dv*lap(v) + r - (F + k)*v
  # coefficients: {a: {file: data.h5, dataset: /a}}     # a value for each cell, as in div(a*grad(u))

grid:
  shape: [128, 128]                # [y, x] or, in 3D, [z, y, x]
  spacing: 0.01953125
  origin: 0.0                      #@ grid.origin

boundary: {all: periodic}          # or {x-: {value: sin(t)}, x+: {flux: -u}, y-: {exchange: {coefficient: 2.0, ambient: 1.0}}, ..}

time:
  end: 2000.0                      #@ time.end
  method: rk4                      # euler, ssprk3, rk4, rk23, rk45, rkl2 or leapfrog
  dt: 4.0                          # auto: from the stability limit at time 0
  snapshots: {every: 500.0}        # or a list of times, or {every_steps: 100}
  # stop_when: v_mean < 1.0e-6     # a condition on watched values

watch:
  every: 10.0
  integrals:
    v_mean: {mean: v}
  probes:
    middle: {x: 1.25, y: 1.25}

execution:
  backend: auto                    #@ execution.backend
  # precision: float64             #@ execution.precision
  # time_limit: 11h50m             #@ execution.time_limit

output:
  directory: results               #@ output.directory
  # fields: [v]                    #@ output.fields
  # name: reaction                 #@ output.name
  # checkpoint: {every_minutes: 30}    # perdure run --resume continues from these

# sweep:                           # several cases in one file, and a table of all
#   problem.parameters.F: [0.03, 0.04, 0.05]
)");
}

std::string starting_heat_case() {
    return with_comments(
        R"(# A case of perdure: heat in a wall of two layers during a day, ready to run.
# Use any consistent set of units; this case uses m, s, W and K. Keys in comments show their defaults or alternatives.
format: 1                  #@ format
title: A wall during a day

problem:
  type: heat                       # c (du/dt + v . grad u) = div(a grad u) - sigma u + f; expressions may also use t and u
  a: if(x < 0.1, 0.04, 0.8)        # conductivity [W/(m K)]: insulation outside, brick inside
  capacity: if(x < 0.1, 4.0e4, 1.5e6)    # c, density times specific heat [J/(m3 K)]
  f: 0.0                           # heat source in the wall [W/m3]; one that depends on time: {number: 5.0, factor: cos(t)}
  # velocity: [0.0, 1.0]           # [vy, vx]
  initial: 15.0                    #@ problem.initial

grid:
  shape: [4, 150]                  # [y, x]
  spacing: 0.002

boundary:                          # sides that are not listed are insulated
  x-: {exchange: {coefficient: 20.0, ambient: {number: 15.0, factor: 1 + 0.6*sin(2*pi*t/86400)}}}
  x+: {exchange: {coefficient: 8.0, ambient: 20.0}}

time:
  end: 86400.0                     # a day
  method: crank_nicolson           # implicit, like backward_euler and bdf2; euler is explicit
  dt: 300.0                        # with euler, auto computes it from the stability limit
  snapshots: {every: 21600.0}

# watch:                           # recorded during the run, in the result and in NAME.csv
#   every: 600.0
#   probes: {joint: {x: 0.1, y: 0.004}}    # u at a point
#   integrals: {heat_from_room: {flux: x+}, mean_u: {mean: u}}

solver:                            # solves each implicit step
  method: cg
  preconditioner: multigrid        # or jacobi, if the steps are short
  rtol: 1.0e-8                     #@ solver.rtol

execution:
  backend: auto                    #@ execution.backend

output:
  directory: results               #@ output.directory
  series: temporal                 #@ output.series
)");
}

std::string starting_wave_case() {
    return with_comments(
        R"(# A case of perdure: a wave in a square with fixed sides, ready to run.
# Keys in comments show their defaults or alternatives.
format: 1                  #@ format
title: A standing wave

problem:
  type: wave                       # du/dt = v, dv/dt = div(a grad u) - sigma u - damping v + f
  a: 1.0                           # square of the wave speed
  sigma: 0.0                       #@ problem.sigma
  damping: 0.0                     #@ problem.damping
  f: 0.0                           #@ problem.f
  initial: sin(pi*x)*sin(2*pi*y)
  initial_rate: 0.0                #@ problem.initial_rate

grid:
  shape: [128, 128]                # [y, x] or, in 3D, [z, y, x]
  spacing: 0.0078125

boundary:
  x-: {value: 0.0}
  x+: {value: 0.0}
  y-: {value: 0.0}
  y+: {value: 0.0}

time:
  end: 1.0                         #@ time.end
  dt: auto                         # from the stability limit
  snapshots: {every: 0.25}

execution:
  backend: auto                    #@ execution.backend

output:
  directory: results               #@ output.directory
)");
}

}  // namespace perdure
