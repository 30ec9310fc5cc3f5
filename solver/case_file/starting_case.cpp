#include <fmt/format.h>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/config.hpp"
#include "solver/case_file/starting_cases.hpp"

namespace perdure {

namespace {

/// A line of comment for each kind of side.
std::string forms_of_sides() {
    std::string lines;
    for (const BoundaryCondition *const condition : all_boundary_conditions()) {
        lines += fmt::format("#   {:<45}{}\n", notation(*condition), condition->statement);
    }
    return lines;
}

}  // namespace

std::string starting_case() {
    return with_comments(R"(# A case of perdure: a steady diffusion problem on the unit square, ready to run.
# Use any consistent set of units; this case has none. Keys in comments show their defaults or alternatives.
format: 1                  #@ format
title: Diffusion in a square with a source
# units: {length: m, time: s}                    #@ units

# diffusion: -div(a grad u) + v . grad u + sigma u = f   (steady; v is 0 if no velocity is given)
# heat:       c du/dt = div(a grad u) - sigma u + f      (c is the capacity; perdure new --type heat writes a case)
# effective:  conductivity and tortuosity of an image    (problem: {type: effective, a: {file, dataset, labels},
#             directions: all or [x, z], lateral: flux or periodic}; perdure new --type effective)
problem:
  type: diffusion
  # Each of a, sigma, f and initial is one of:
  #   1.0                                                            a number
  #   2.0 * sin(pi * x)                                              an expression in x, y, z at cell centres
  #   {file: data.h5, dataset: /a}                                   an HDF5 dataset of the grid's shape
  #   {file: data.h5, dataset: /image, labels: {0: 1.0, 1: 0.0}}     a label image with a value for each label
  # File names are relative to the folder of this file.
  a: 1.0                    #@ problem.a
  sigma: 0.0                #@ problem.sigma
  f: 2.0 * pi^2 * sin(pi * x) * sin(pi * y)      # source; the solution is sin(pi x) sin(pi y)
  # f: {expression: sin(pi * x), factor: cos(t)} # heat only: a factor that depends on the time t
  # exact: sin(pi * x) * sin(pi * y)             #@ problem.exact
  # sources_in_solids: refuse                    #@ problem.sources_in_solids
  # velocity: [0.0, 1.0]    #@ problem.velocity
  # convection: central     #@ problem.convection
  initial: 0.0              #@ problem.initial

# Lists are in array order, slowest axis first: [y, x] or, in 3D, [z, y, x], and in 1D [x].
grid:
  shape: [64, 64]           #@ grid.shape
  length: 1.0               #@ grid.length
  # spacing: 1/64           #@ grid.spacing
  origin: 0.0               #@ grid.origin

# Sides x-, x+, y-, y+ and, in 3D, z-, z+. A side that is not listed is {flux: 0.0}. n is the outward normal.
)") + forms_of_sides() +
           with_comments(R"(# The values of sides take the same forms as a, sigma and f.
boundary:
  x-: {value: 0.0}
  x+: {value: 0.0}
  y-: {value: 0.0}
  y+: {value: 0.0}

solver:
  method: cg                #@ solver.method
  preconditioner: jacobi    #@ solver.preconditioner
  # weight: 0.6666666666666666                   #@ solver.weight
  # multigrid: {cycle: v, smoother: chebyshev, sweeps: 2, start: zero}   # of method or preconditioner multigrid:
  #   cycle v, w or f; smoother chebyshev, jacobi or red_black; 1 to 8 sweeps before and after; start zero or full;
  #   a preconditioner is always a v cycle from zero, without cycle and start; direct_level auto, none or a number: the level
  #   that is solved directly if a and sigma are uniform (0: the grid itself)
  # omega: auto             #@ solver.omega
  norm: l2                  #@ solver.norm
  rtol: 1.0e-8              #@ solver.rtol
  atol: 0.0
  max_iterations: 10000
  check_every: 10           #@ solver.check_every

# time:                     # heat only
#   start: 0.0              #@ time.start
#   end: 1.0                #@ time.end
#   method: euler           #@ time.method
#   dt: auto                #@ time.dt
#   snapshots: [0.25, 0.5]  #@ time.snapshots

execution:
  backend: auto             #@ execution.backend
  # device: 0               #@ execution.device
  # devices: 2              #@ execution.devices
  model: persistent         #@ execution.model
  precision: float64        #@ execution.precision
  # groups: 8               #@ execution.groups
  # group_size: 128         #@ execution.group_size
  barrier: auto             #@ execution.barrier
  transport: auto           #@ execution.transport
  reproducible: false       #@ execution.reproducible
  ensemble: auto            #@ execution.ensemble
  watchdog: 20.0            #@ execution.watchdog
  # time_limit: 1h30m       #@ execution.time_limit

output:
  directory: results        #@ output.directory
  # name: square            #@ output.name
  fields: [u]               #@ output.fields
  compression: fast         #@ output.compression
  # series: files            #@ output.series
  # checkpoint: {every_minutes: 10, on_signal: true, keep: 2}   #@ output.checkpoint
  # units: K                #@ output.units

# sweep:                    # several cases in one file: every combination, or one case per map in a list of maps
#   problem.a: {from: 1, to: 100, count: 5, scale: log}
#   grid.shape: [[32, 32], [64, 64]]      # finer and finer: `perdure run --table order` prints orders
#   zip: {solver.rtol: [1.0e-4, 1.0e-8], title: [fast, exact]}      # values taken together
#   sample: {method: latin_hypercube, count: 20, seed: 1, keys: {problem.sigma: {from: 0, to: 1}}}
#   file: values.csv        #@ sweep.file
)");
}

}  // namespace perdure
