#include "solver/commands/subjects.hpp"

namespace perdure::commands {
namespace {

constexpr Subject subjects[] = {
    {"dirichlet", "fixed-value",
     "A side that holds u at a value, u = v. The value is a number, an expression in the coordinates along "
     "the side, or data of a file; in "
     "time it may have a factor.",
     "boundary.SIDE.value boundary.all", "manufactured_poisson_2d", ""},
    {"neumann", "insulated no-flux",
     "A side through which a given flux enters, a du/dn = q with the normal n outward; in a system, du/dn = "
     "q. Sides that are not listed "
     "have flux 0: they are insulated, or planes of symmetry.",
     "boundary.SIDE.flux", "manufactured_poisson_2d", ""},
    {"flux", "heat-flux flow-rate heat-loss",
     "As a condition, `boundary: {x-: {flux: 5}}` lets a flux enter through a side: perdure help neumann. "
     "What "
     "flows through a side or plane during a run in time is an integral, `watch: {integrals: {loss: {flux: "
     "x+}}}`: of heat what enters the body, of a system that of the vector `of`. The field -a grad u is "
     "written "
     "by `output.fields: [u, flux]` for problems of types diffusion and effective.",
     "watch.integrals.NAME.flux watch.integrals.NAME.of boundary.SIDE.flux output.fields",
     "wall_through_days", ""},
    {"robin", "convective mixed",
     "A side that exchanges with its surroundings, a du/dn = h (v - u): h is a heat or mass transfer "
     "coefficient, v the ambient value.",
     "boundary.SIDE.exchange.coefficient boundary.SIDE.exchange.ambient", "wall_through_days", ""},
    {"periodic", "",
     "Both sides of an axis are periodic: what leaves through one enters through the other. Write `x-: "
     "periodic` and `x+: periodic`, or "
     "`all: periodic`.",
     "boundary.all", "gray_scott", ""},
    {"order", "convergence-study manufactured-solution error",
     "Give the exact solution as `problem.exact` (in a system as `problem.fields.FIELD.exact`) and a sweep "
     "over `grid.shape` with a fixed "
     "`grid.length`: the report has the L1, L2 and largest error, and --table order prints the observed "
     "order from grid to grid, or over a sweep of `time.dt` from step to step.",
     "problem.exact problem.fields.FIELD.exact grid.length sweep", "convergence_study",
     "perdure run convergence_study.yaml --table order"},
    {"tortuosity", "diffusibility formation-factor percolation",
     "Tortuosity of an image is mean(a) / a_eff, the factor that TauFactor computes as D phi / D_eff. A case "
     "of type effective finds it along "
     "every axis, with which labels percolate and between which bounds it lies. In Python: "
     "perdure.effective(image, {0: 1, 1: 0}).",
     "problem.a problem.directions VALUE.labels", "fibre_array", "perdure new --image image.h5 pores.yaml"},
    {"tensor", "conductivity anisotropy effective-tensor homogenisation homogenization periodic-cell",
     "With `boundary: {all: periodic}` a case of type effective solves the periodic cell problem of "
     "homogenisation and gives the whole effective tensor, its principal values and its asymmetry. With "
     "`problem.lateral: periodic` it does so between faces that hold fixed values; "
     "with insulated sides it gives only the coefficients along the axes. A label may have a tensor of its "
     "own, "
     "as rotated fibres and crystals have: `labels: {1: {x: 8, y: 2, z: 1, xy: 0.5}}`.",
     "boundary.all problem.lateral problem.directions VALUE.labels", "",
     "perdure new --type effective case.yaml"},
    {"rve", "representative-volume subvolumes",
     "How large a part of an image has to be: a sweep over cubes of several sizes, side by side in one "
     "image, ends with the mean and "
     "the standard deviation of the effective coefficient by size.",
     "sweep.subvolumes.edges problem.subvolume", "", "perdure new --type effective case.yaml"},
    {"images", "image tiff voxels segmentation labels",
     "tools/import_image makes an HDF5 file of TIFF or PNG slices, a TIFF stack, NRRD or raw values. A value "
     "of the problem then names the "
     "file, the dataset and a number for each label; the shape of the grid may be left to the image.",
     "VALUE.file VALUE.dataset VALUE.labels grid.shape", "", "perdure new --image image.h5 pores.yaml"},
    {"sweep", "parameter-study batch",
     "A sweep makes many cases of one: lists, ranges, samples, or a CSV file of values. Finished members are "
     "skipped when the same "
     "command runs again. The table NAME_summary.csv has a row for each member; `perdure plot TABLE --sweep` "
     "draws it.",
     "", "convergence_study", "perdure table case.yaml"},
    {"slurm", "queue cluster hpc array snakemake",
     "A sweep runs as a Slurm array: each task calls `perdure run case.yaml --shard auto --time-limit 55m`, "
     "and all write one table. Finished "
     "members are skipped when the job runs again, and exit code 75 says that there is more to do. "
     "inputs/sweep_array.sbatch is "
     "a script for it, inputs/Snakefile a workflow.",
     "sweep output.checkpoint execution.time_limit", "",
     "perdure run sweep.yaml --shard auto --time-limit 55m"},
    {"resume", "restart checkpoint continue",
     "A run in time writes checkpoints if the case asks for them. `perdure run case.yaml --resume` continues "
     "from the newest one, with the same "
     "bits as a run without interruption. Ctrl-C and a time limit also write one; the exit code is then 75.",
     "output.checkpoint execution.time_limit", "", "perdure run case.yaml --resume"},
    {"units", "dimensions",
     "The case says once in which units its lengths and times are; then others may be given, as in `length: "
     "40 cm` and `end: 33 min`. "
     "Coefficients, sources and values may have units, too, as in `a: 0.6 W/(m K)`; numbers without are in "
     "the units of the case. Joules, kelvins and moles stay, all else becomes lengths and times of the case: "
     "with lengths in mm, 1 bar is 1e-4 J/mm3. `validate` and `run` print the units of u and of the flux. "
     "The units are m, g, s, min, h, d, A, K, mol, cd, N, Pa, bar, J, W, Hz, C, V, F, Ohm, S, T, L, l and "
     "rad, with prefixes from y to Y and u for micro; products are written as W m-1 K-1, W.m-1.K-1 or "
     "W/(m K). Systems check the units of fields and parameters.",
     "problem.fields.FIELD.units problem.parameters.NAME.units output.units", "", "perdure new case.yaml"},
    {"python", "notebook jupyter xarray numpy",
     "After `pip install .` in the source tree: perdure.run(case) runs a case file or a dict and returns an "
     "xarray Dataset, "
     "perdure.sweep(case) a table, perdure.effective(image, labels) the tortuosity. Results on disk open "
     "with "
     "xarray.open_dataset(file, engine=\"h5netcdf\"), tables with pandas. inputs/python.ipynb is a notebook.",
     "output.fields", "", "python3 -c 'import perdure; help(perdure)'"},
    {"paraview", "vtk",
     "Results (*.vtkhdf) open in ParaView 5.12 or later, with all snapshots on its time axis.",
     "output.series output.fields", "heated_plate", "perdure info results/case.vtkhdf"},
    {"snapshots", "animation film movie",
     "A problem in time writes the field at its end, and at the times that `time.snapshots` names. `perdure "
     "plot FILE --film` draws all of "
     "them; what is needed at every step is watched instead.",
     "time.snapshots watch output.series", "gray_scott", ""},
    {"probes", "monitor integral time-series",
     "`watch` records integrals, and values at points and along lines, through a run of heat or of a system. "
     "They are in the result under "
     "/series and in NAME.csv; `perdure plot FILE --series` draws them. `time.stop_when` ends a run on a "
     "condition.",
     "watch.integrals watch.probes time.stop_when", "dam_break", ""},
    {"gpu", "cuda opencl device",
     "The back end is chosen by itself: a CUDA GPU, else an OpenCL GPU, else host threads. `perdure devices` "
     "lists what is there, and what "
     "each device cannot do and why. Large cases may be shared among CUDA GPUs of one machine: "
     "`execution.devices: 2`.",
     "execution.backend execution.device execution.devices execution.precision", "", "perdure devices"},
    {"performance", "speed slow",
     "`execution.model: auto` measures the execution models on the case and takes the fastest; multigrid as "
     "preconditioner needs the "
     "fewest iterations; float32 or mixed moves half as many bytes. --explain shows what a run spends its "
     "time on.",
     "execution.model solver.preconditioner execution.precision", "", "perdure run case.yaml --explain"},
    {"tolerance", "convergence residual",
     "A run has converged when the true residual meets the tolerance, ||b - A u|| <= max(rtol ||b||, atol). "
     "A run that ends otherwise says why, "
     "and has an exit code of its own: perdure help exit-codes.",
     "solver.rtol solver.atol solver.norm solver.max_iterations", "manufactured_poisson_3d", ""},
    {"stability", "time-step cfl",
     "Explicit steps are stable up to a size that depends on cells and coefficients: `dt: auto` computes it, "
     "and a larger dt is refused. "
     "The implicit methods backward_euler, crank_nicolson and bdf2 take steps of any size, and need a number "
     "for dt.",
     "time.dt time.method", "heated_plate", ""},
};

}  // namespace

std::span<const Subject> all_subjects() {
    return subjects;
}

}  // namespace perdure::commands
