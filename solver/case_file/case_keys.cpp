#include "solver/case_file/case_keys.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/case_file/config.hpp"
#include "solver/case_file/sweep_keys.hpp"
#include "solver/case_file/time_tables.hpp"
#include "solver/case_file/watch_keys.hpp"
#include "solver/equations/equation.hpp"

namespace perdure {
namespace {

#define PERDURE_INTEGRATOR_MEANING(word, meaning) "; " #word ": " meaning

constexpr std::array common_keys{
    CaseKey{"format", "1", "1", "version of the file format, which later versions of perdure still read"},
    CaseKey{"title", "text", "", "what the case is"},
    CaseKey{
        "units", "map", "",
        "units of the lengths and times of the case, which may then be given in others, as in 0.5 mm and 33 "
        "min; axes of results and pictures have them; coefficients, sources and values may have units, too, "
        "as in 0.6 W/(m K); numbers without are in these units, such as a diffusivity in mm2/s (perdure help "
        "units lists units)"},
    CaseKey{"units.length", words_of<LengthUnit>.data(), "", "unit of lengths"},
    CaseKey{"units.time", words_of<TimeUnit>.data(), "", "unit of times"},
    CaseKey{"problem", "map", "required", "the equation and its coefficients"},
    CaseKey{"problem.type", words_of<ProblemType>.data(), "required", "the equation"},
    CaseKey{"problem.a", "VALUE", "required", "diffusion coefficient, >= 0 [in heat: length^2 / time]"},
    CaseKey{"problem.sigma", "VALUE", "0", "reaction coefficient, >= 0"},
    CaseKey{"problem.capacity", "VALUE", "1",
            "heat: c in the equation, > 0 [energy / (volume temperature)]; a is then a conductivity, f a "
            "power per volume, exchange coefficients are heat transfer coefficients; without it give these "
            "values divided by c"},
    CaseKey{"problem.f", "VALUE", "0", "source"},
    CaseKey{"problem.sources_in_solids", "refuse or ignore", "refuse",
            "sources in cells that are left out: solid ones (a = sigma = 0) and, in a steady problem, those "
            "cut off"},
    CaseKey{"problem.initial", "VALUE", "0", "value at time 0, or the initial guess of a steady problem"},
    CaseKey{
        "problem.exact", "formula", "",
        "exact solution u in x, y, z and, in time, t: the report has norms of the error, and a sweep over "
        "grid.shape with `--table order` the observed order"},
    CaseKey{"problem.velocity", "list of VALUE", "0",
            "[vx], [vy, vx] or [vz, vy, vx]; diffusion then needs method bicgstab, or upwind with sor or "
            "jacobi; heat is then solved as a system"},
    CaseKey{"problem.convection", "central or upwind", "central",
            "central: order 2; upwind: order 1, without oscillations"},
    CaseKey{"VALUE.number", "number", "", "the same as the bare number"},
    CaseKey{"VALUE.expression", "expression in x, y, z", "",
            "evaluated at cell centres; the same as the bare text"},
    CaseKey{"VALUE.factor", "expression in t", "1", "factor in time of a source or boundary value"},
    CaseKey{"VALUE.file", "file name", "", "HDF5 file, relative to the folder of the case file"},
    CaseKey{"VALUE.dataset", "path", "", "dataset in that file; it has the shape of the grid"},
    CaseKey{
        "VALUE.labels", "map of label to number or {x, y, z, xy, xz, yz}", "",
        "the dataset is a label image; a value for each label; effective: or one for each axis, as in 1: "
        "{x: 5, y: 5, z: 1}, all > 0, or a symmetric positive definite tensor, {x: 8, y: 2, z: 1, xy: 0.5}; "
        "what is left out of xy, xz, yz is 0"},
    CaseKey{"grid", "map", "", "the cells; lists follow the order of arrays: [x], [y, x] or [z, y, x]"},
    CaseKey{"grid.shape", "list of 1 to 3 whole numbers", "that of a coefficient from a dataset",
            "cells along each axis"},
    CaseKey{"grid.spacing", "number > 0, or one per axis", "1", "edge of a cell [length]"},
    CaseKey{"grid.length", "number > 0, or one per axis", "shape times spacing",
            "edge of the box, in place of spacing [length]"},
    CaseKey{"grid.origin", "number, or one per axis", "0", "lower corner of the box [length]"},
    CaseKey{"boundary", "map", "",
            "conditions at the sides x-, x+, y-, y+, z- and z+, with outward normal n; a side that is not "
            "listed has flux 0; effective: left out, or all: periodic"},
    CaseKey{"boundary.all", "as a side", "", "condition at every side that is not listed itself"},
    CaseKey{"solver", "map", "", "how the linear equations are solved"},
    CaseKey{"solver.method", "cg, bicgstab, chebyshev, sor, jacobi or multigrid", "cg",
            "iterative method; with a velocity use bicgstab"},
    CaseKey{"solver.preconditioner", "jacobi, multigrid or none", "jacobi",
            "preconditioner of cg and bicgstab; multigrid is for cg only and needs the fewest iterations"},
    CaseKey{"solver.weight", "number in (0, 2)", "2/3", "method jacobi: relaxation weight"},
    CaseKey{"solver.omega", "auto, or a number in (0, 2)", "auto",
            "method sor: relaxation factor; auto: computed from the grid"},
    CaseKey{"solver.multigrid", "map", "", "settings of multigrid, as method or preconditioner"},
    CaseKey{"solver.multigrid.cycle", "v, w or f", "v",
            "method multigrid: order in which the levels are visited"},
    CaseKey{"solver.multigrid.smoother", "chebyshev, jacobi or red_black", "chebyshev", "smoother"},
    CaseKey{"solver.multigrid.sweeps", "1 to 8", "2", "before and after the coarser levels"},
    CaseKey{"solver.multigrid.start", "zero or full", "zero",
            "method multigrid: zero starts from 0; full starts on the coarsest level (full multigrid)"},
    CaseKey{"solver.multigrid.direct_level", "auto, none or a whole number", "auto",
            "level that is solved directly if a and sigma are uniform; 0: the grid itself"},
    CaseKey{"solver.norm", "l2 or max", "l2", "norm of the residual"},
    CaseKey{"solver.rtol", "number in [0, 1)", "1e-8",
            "relative tolerance: converged when ||residual|| <= max(rtol * ||right-hand side||, atol)"},
    CaseKey{"solver.atol", "number >= 0", "0", "see rtol"},
    CaseKey{"solver.max_iterations", "whole number > 0", "10000",
            "the run ends there with exit code 3, whatever check_every is"},
    CaseKey{"solver.check_every", "whole number > 0", "10; 1 with multigrid",
            "iterations or time steps between two checks"},
    CaseKey{"time", "map", "", "times and time steps of a problem in time"},
    CaseKey{"time.start", "number", "0", "time of the initial values [time]"},
    CaseKey{"time.end", "number", "required", "end of the run, > start [time]"},
    CaseKey{"time.dt", "auto, a number > 0, or {cfl: 0.4}", "auto",
            "size of a step; auto: from the stability limit, with rkl2 and imex also from the fastest "
            "reaction or "
            "explicit term; {cfl: 0.4}: from the fastest wave and what else limits steps; other implicit "
            "methods need a number; for rk23 and rk45, the first step"},
    CaseKey{"time.dt.cfl", "number > 0", "required",
            "CFL number: part of a cell that the fastest wave of conserve() and upwind() crosses in a step"},
    CaseKey{"time.method", words_of<TimeIntegrator>.data(), "that of the equation",
            "time-stepping method" PERDURE_INTEGRATOR_WORDS(PERDURE_INTEGRATOR_MEANING)},
    CaseKey{"time.rtol", "number > 0", "1e-4",
            "rk23, rk45: tolerance of the error of a step, relative to the field in each cell"},
    CaseKey{"time.atol", "number >= 0", "1e-7", "rk23, rk45: absolute tolerance, for all fields"},
    CaseKey{"time.implicit", "list of names", "",
            "imex: names from problem.let, whose terms are implicit, and names of fields, whose whole rate "
            "is implicit"},
    CaseKey{"time.snapshots", "list of times, or a map", "",
            "times to write besides the end, or {every: 0.5}, in time, or {every_steps: 100}"},
    CaseKey{"time.snapshots.every", "number > 0", "", "time between two snapshots"},
    CaseKey{"time.snapshots.every_steps", "whole number > 0", "", "steps between two snapshots"},
    CaseKey{"execution", "map", "", "where and how the case runs"},
    CaseKey{"execution.backend", "auto, host, opencl or cuda", "auto",
            "auto: a CUDA GPU, else an OpenCL GPU, else host threads"},
    CaseKey{"execution.device", "whole number >= 0", "0",
            "number of the device within its back end, as `perdure devices` lists it"},
    CaseKey{
        "execution.devices", "whole number > 0", "1",
        "GPUs of this machine that one process shares the case among, with `device` the first; CUDA alone"},
    CaseKey{"execution.model", "persistent, launches, graph, graph_while, resident or auto", "persistent",
            "persistent: the whole run in one launch; launches: one per phase; auto: measured"},
    CaseKey{"execution.precision", "float64, float32 or mixed", "float64",
            "floating-point numbers of the fields; mixed: cg in float64 with multigrid cycles in float32"},
    CaseKey{"execution.groups", "whole number > 0", "as many as fit", "number of thread blocks"},
    CaseKey{"execution.group_size", "whole number > 0", "by back end", "threads per block"},
    CaseKey{"execution.barrier", "auto, group_leader, all_items, lock_free, tree or cooperative", "auto",
            "grid barrier between phases; auto: the fastest"},
    CaseKey{"execution.transport", "auto, peer or nvshmem", "auto",
            "how GPUs of different processes exchange data; peer: on one host; nvshmem: also across hosts; "
            "ignored on host threads"},
    CaseKey{"execution.cg_variant", "", "", "removed; ignored with a warning"},
    CaseKey{"execution.reproducible", "true or false", "false",
            "true: no choice by timing that could change the bits of the result; refuses model: auto"},
    CaseKey{"execution.ensemble", "auto, off or whole number > 1", "auto",
            "cases of a batch that run together in one launch, each on a part of the device; auto: small "
            "ones; off: one after the other"},
    CaseKey{
        "execution.watchdog", "number > 0", "20",
        "seconds without progress until the run ends; not of processes that share a case on host threads"},
    CaseKey{"execution.time_limit", "seconds, or a text such as 1h30m", "",
            "time after the start of the program at which a run in time writes a checkpoint and ends"},
    CaseKey{"output", "map", "", "what is written, and where"},
    CaseKey{"output.directory", "folder", "results", "of results, relative to the working directory"},
    CaseKey{"output.name", "file name", "name of the case file", "the result is DIRECTORY/NAME.vtkhdf"},
    CaseKey{"output.fields", "list of names", "those of the equation",
            "fields to write; flux: the vector -a grad u of a steady problem; []: only the report"},
    CaseKey{"output.compression", "none, fast or small", "fast",
            "compression of the fields; gzip, the old word for fast, is accepted with a warning"},
    CaseKey{"output.series", "temporal or files", "temporal",
            "in time: all snapshots in one file, or one file each in the folder NAME.snapshots"},
    CaseKey{"output.checkpoint", "map", "", "in time: `perdure run --resume` continues from these"},
    CaseKey{"output.checkpoint.every_steps", "whole number > 0", "", "steps between two checkpoints"},
    CaseKey{"output.checkpoint.every_minutes", "number > 0", "", "minutes between two checkpoints"},
    CaseKey{"output.checkpoint.on_signal", "true or false", "true",
            "write a checkpoint when the run is stopped by Ctrl-C or SIGTERM"},
    CaseKey{"output.checkpoint.keep", "whole number > 0", "2", "how many of the newest checkpoints are kept"},
    CaseKey{"output.units", "text", "", "units of the first field"},
};

#undef PERDURE_INTEGRATOR_MEANING

/// Texts of keys that are put together.
std::string_view kept(std::string text) {
    static std::list<std::string> texts;
    return texts.emplace_back(std::move(text));
}

/// Those of a side: each kind of side, and the values that it takes.
std::vector<CaseKey> keys_of_sides() {
    std::vector<std::string> bare, meanings;
    std::vector<CaseKey> keys{{"boundary.SIDE", "", "{flux: 0}", ""}};
    for (const BoundaryCondition *const condition : all_boundary_conditions()) {
        const char *const word = name(condition->kind);
        if (condition->inputs.empty()) {
            bare.emplace_back(word);
            meanings.push_back(fmt::format("{}: {}", word, condition->statement));
            continue;
        }
        const std::string path = fmt::format("boundary.SIDE.{}", word);
        const bool by_word = is_given_by_word(*condition);
        keys.push_back({kept(path), by_word ? "VALUE" : "map", "",
                        kept(fmt::format("{} ({})", condition->statement, title(condition->type)))});
        for (const SideInput &input : condition->inputs.subspan(by_word ? 1 : 0)) {
            keys.push_back({kept(fmt::format("{}.{}", path, input.key)), "VALUE", "required",
                            kept(fmt::format("{}{}", input.symbol, input.not_negative ? ", >= 0" : ""))});
        }
    }
    keys.front().takes = kept(fmt::format("map, or {}", fmt::join(bare, " or ")));
    keys.front().meaning = kept(fmt::format("{}", fmt::join(meanings, "; ")));
    return keys;
}

/// Keys that one equation alone has stand behind those of `problem` that all share.
const std::vector<CaseKey> &all_keys() {
    static const std::vector<CaseKey> keys = [] {
        const std::vector<CaseKey> of_sides = keys_of_sides();
        std::vector<std::pair<std::string_view, std::span<const CaseKey>>> behind{
            {"time.snapshots.every_steps", watch_keys()},
            {"problem.convection", table_keys()},
            {"boundary", of_sides}};
        for (const Equation &equation : all_equations()) {
            behind.emplace_back("problem.initial", equation.keys);
        }
        std::vector<CaseKey> all;
        for (const CaseKey &key : common_keys) {
            all.push_back(key);
            for (const auto &[place, more] : behind) {
                if (key.path == place) {
                    all.insert(all.end(), more.begin(), more.end());
                }
            }
        }
        all.insert(all.end(), sweep_keys().begin(), sweep_keys().end());
        return all;
    }();
    return keys;
}

}  // namespace

std::span<const CaseKey> case_keys() {
    return all_keys();
}

}  // namespace perdure
