#include "solver/case_file/config.hpp"

namespace perdure {

std::string starting_case() {
    return R"(# A case of perdure: a steady diffusion problem on the unit square, ready to run.
# Any consistent set of units will do; this case uses none. Commented keys show their defaults or alternatives.
format: 1                  # of this file; a later perdure still reads it
title: Diffusion in a square with a source

# diffusion: -div(a grad u) + v . grad u + sigma u = f   (steady; v is 0 when not given)
# heat:       du/dt = div(a grad u) - sigma u + f        (in time; needs the section `time` below)
# effective:  conductivity and tortuosity of an image    (problem: {type: effective, a: {file, dataset, labels},
#             directions: all or [x, z], lateral: flux or periodic}, without boundary: perdure new --type effective)
problem:
  type: diffusion
  # Each of a, sigma, f and initial is one of
  #   1.0                                                            a number
  #   2.0 * sin(pi * x)                                              an expression in x, y, z at cell centres
  #   {file: data.h5, dataset: /a}                                   an HDF5 dataset of the grid's shape
  #   {file: data.h5, dataset: /image, labels: {0: 1.0, 1: 0.0}}     an image, with a value for each label
  # File names are relative to this file.
  a: 1.0                    # diffusion coefficient, >= 0; [length^2 / time] in a heat problem
  sigma: 0.0                # reaction coefficient, >= 0
  f: 2.0 * pi^2 * sin(pi * x) * sin(pi * y)      # source; here the solution is sin(pi x) sin(pi y)
  # f: {expression: sin(pi * x), factor: cos(t)} # heat only: a factor in time t
  # velocity: [0.0, 1.0]    # v = [vy, vx] or [vz, vy, vx], each given as a is; for method bicgstab
  # convection: central     # differences for v . grad u: central (order 2) or upwind (order 1, never oscillates)
  initial: 0.0              # heat: value at time 0; diffusion: first guess

# Lists follow the order of arrays, slowest axis first: [y, x] or, in 3D, [z, y, x].
grid:
  shape: [64, 64]           # cells
  spacing: 0.015625         # edge of a cell [length], or one for each axis: [0.015625, 0.015625]
  origin: 0.0               # corner of the box [length], or one for each axis

# Sides x-, x+, y-, y+ and, in 3D, z-, z+. A side that is not named is {flux: 0.0}. n is the outward normal.
#   {value: v}                                   u = v
#   {flux: q}                                    a du/dn = q
#   {exchange: {coefficient: h, ambient: v}}     a du/dn = h (v - u)
#   periodic                                     joined to the opposite side, which must be periodic too
# q, h and v are given as a, sigma and f are.
boundary:
  x-: {value: 0.0}
  x+: {value: 0.0}
  y-: {value: 0.0}
  y+: {value: 0.0}

solver:
  method: cg                # cg, bicgstab (with a velocity), chebyshev, sor, jacobi or multigrid
  preconditioner: jacobi    # jacobi, multigrid (fewest iterations; for cg) or none; for cg and bicgstab
  # weight: 0.6666666666666666                   # in (0, 2); for method jacobi
  # multigrid: {cycle: v, smoother: chebyshev, sweeps: 2, start: zero}   # for method and preconditioner multigrid:
  #   cycle v, w or f, smoother chebyshev, jacobi or red_black, 1 to 8 sweeps before and after, start zero or full;
  #   as a preconditioner a v cycle from zero, so neither cycle nor start; direct_level auto, none or a number: the level
  #   that is solved exactly by transforms where a and sigma are the same everywhere (0: the grid itself)
  # omega: auto             # in (0, 2), or auto: from the grid; for method sor
  norm: l2                  # of the residual: l2 or max
  rtol: 1.0e-8              # converged when the residual is at most max(rtol * right-hand side, atol)
  atol: 0.0
  max_iterations: 10000
  check_every: 10           # iterations between two checks (left out with multigrid: 1); the only key for heat

# time:                     # heat only
#   end: 1.0                # [time]
#   dt: auto                # auto: from the stability limit; or a number [time]
#   snapshots: [0.25, 0.5]  # times to write, besides the end; or {every_steps: 100}

execution:
  backend: auto             # auto, host, opencl or cuda
  # device: 0               # number of the device, as `perdure devices` lists it
  model: persistent         # the whole run in one launch; or one for each phase: launches, graph, graph_while; resident; auto
  precision: float64        # float64, float32, or mixed: cg in float64 with multigrid cycles in float32
  # groups: 8               # thread blocks; default: as many as the device holds at once
  # group_size: 128         # threads in a block; default: the back end's choice
  barrier: auto             # between phases: group_leader, all_items, lock_free, tree, cooperative; auto: the fastest
  reproducible: false       # true: nothing is chosen by timing that bits could depend on; refuses model: auto
  watchdog: 20.0            # seconds without progress after which a run is ended

output:
  directory: results        # relative to the working directory
  # name: square            # results/square.vtkhdf; default: the name of this file
  fields: [u]               # u, and in steady problems flux, the vector -a grad u: [u, flux]
  compression: gzip         # gzip or none
  # series: files            # heat: each snapshot a file, in results/NAME.snapshots; default: temporal, all in one file
  # units: K                # of u

# sweep:                    # many cases in one: every combination, or a list of maps for one after the other
#   solver.rtol: [1.0e-4, 1.0e-8]
#   grid.shape: [[32, 32], [64, 64]]
)";
}

}  // namespace perdure
