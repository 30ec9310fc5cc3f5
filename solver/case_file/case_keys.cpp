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
    CaseKey{"format", "1", "1", "format of this file; a later perdure still reads it"},
    CaseKey{"title", "text", "", "what the case is"},
    CaseKey{
        "units", "map", "",
        "of the lengths and times of the case, which may then be given in others, as 0.5 mm and 33 min; axes "
        "of results and pictures have them"},
    CaseKey{"units.length", words_of<LengthUnit>.data(), "", "unit of lengths"},
    CaseKey{"units.time", words_of<TimeUnit>.data(), "", "unit of times"},
    CaseKey{"problem", "map", "required", "the equation and its coefficients"},
    CaseKey{"problem.type", words_of<ProblemType>.data(), "required", "the equation"},
    CaseKey{"problem.a", "VALUE", "required", "diffusion coefficient, >= 0 [length^2 / time in heat]"},
    CaseKey{"problem.sigma", "VALUE", "0", "reaction coefficient, >= 0"},
    CaseKey{
        "problem.capacity", "VALUE", "1",
        "heat: c in the equation, > 0 [energy / (volume temperature)]; a is then a conductivity, f a "
        "power per volume and the coefficient of an exchange side a heat transfer coefficient; without it "
        "they are these divided by c"},
    CaseKey{"problem.f", "VALUE", "0", "source"},
    CaseKey{"problem.sources_in_solids", "refuse or ignore", "refuse",
            "sources in cells that are left out: solid ones (a = sigma = 0) and, in a steady problem, those "
            "cut off"},
    CaseKey{"problem.initial", "VALUE", "0", "in time: value at time 0; else first guess"},
    CaseKey{
        "problem.velocity", "list of VALUE", "0",
        "[vx], [vy, vx] or [vz, vy, vx]; diffusion needs method bicgstab then, or with upwind sor or jacobi; "
        "heat becomes a system"},
    CaseKey{"problem.convection", "central or upwind", "central", "order 2; or 1, and no oscillations"},
    CaseKey{"VALUE.number", "number", "", "the same as the bare number"},
    CaseKey{"VALUE.expression", "expression in x, y, z", "",
            "evaluated at cell centres; the same as the bare text"},
    CaseKey{"VALUE.factor", "expression in t", "1", "in time: multiplies a source or boundary value"},
    CaseKey{"VALUE.file", "file name", "", "HDF5 file, relative to the case file"},
    CaseKey{"VALUE.dataset", "path", "", "dataset of the grid's shape in that file"},
    CaseKey{"VALUE.labels", "map of label to number or {x, y, z}", "",
            "the dataset is a label image; a value for each label; effective: or one for each axis, as in 1: "
            "{x: 5, y: 5, "
            "z: 1}, all > 0"},
    CaseKey{"grid", "map", "", "the cells; lists follow the order of arrays: [x], [y, x] or [z, y, x]"},
    CaseKey{"grid.shape", "list of 1 to 3 whole numbers", "that of a coefficient from a dataset",
            "cells along each axis"},
    CaseKey{"grid.spacing", "number > 0, or one per axis", "1", "edge of a cell [length]"},
    CaseKey{"grid.length", "number > 0, or one per axis", "shape times spacing",
            "edge of the box, in place of spacing [length]"},
    CaseKey{"grid.origin", "number, or one per axis", "0", "lower corner of the box [length]"},
    CaseKey{"boundary", "map", "",
            "sides x-, x+, y-, y+, z-, z+, n their outward normal; a side that is not named has flux 0"},
    CaseKey{"boundary.all", "as a side", "", "every side that is not named itself"},
    CaseKey{"solver", "map", "", "how the equations are solved"},
    CaseKey{"solver.method", "cg, bicgstab, chebyshev, sor, jacobi or multigrid", "cg",
            "iterative method; bicgstab with a velocity"},
    CaseKey{"solver.preconditioner", "jacobi, multigrid or none", "jacobi",
            "for cg and bicgstab; multigrid takes the fewest iterations and is for cg"},
    CaseKey{"solver.weight", "number in (0, 2)", "2/3", "method jacobi: relaxation"},
    CaseKey{"solver.omega", "auto, or a number in (0, 2)", "auto",
            "method sor: relaxation; auto: from the grid"},
    CaseKey{"solver.multigrid", "map", "", "for method and preconditioner multigrid"},
    CaseKey{"solver.multigrid.cycle", "v, w or f", "v",
            "method multigrid: order in which levels are visited"},
    CaseKey{"solver.multigrid.smoother", "chebyshev, jacobi or red_black", "chebyshev", "on every level"},
    CaseKey{"solver.multigrid.sweeps", "1 to 8", "2", "of the smoother, before and after the coarser levels"},
    CaseKey{"solver.multigrid.start", "zero or full", "zero",
            "method multigrid: full begins on the coarsest level"},
    CaseKey{"solver.multigrid.direct_level", "auto, none or a whole number", "auto",
            "level that is solved directly where a and sigma are uniform; 0: the grid itself"},
    CaseKey{"solver.norm", "l2 or max", "l2", "of the residual"},
    CaseKey{"solver.rtol", "number in [0, 1)", "1e-8",
            "converged when the residual is at most max(rtol * right-hand side, atol)"},
    CaseKey{"solver.atol", "number >= 0", "0", "see rtol"},
    CaseKey{"solver.max_iterations", "whole number > 0", "10000",
            "the run ends there with exit code 3, whatever check_every is"},
    CaseKey{"solver.check_every", "whole number > 0", "10; 1 with multigrid",
            "iterations or steps between two convergence checks"},
    CaseKey{"time", "map", "", "of an equation in time"},
    CaseKey{"time.start", "number", "0", "when the initial values hold [time]"},
    CaseKey{"time.end", "number", "required", "> start [time]"},
    CaseKey{"time.dt", "auto, a number > 0, or {cfl: 0.4}", "auto",
            "auto: from the stability limit; of rk23 and rk45 the first step; implicit steps need a number; "
            "{cfl: 0.4}: from the fastest wave"},
    CaseKey{"time.dt.cfl", "number > 0", "required",
            "of conserve() and upwind(): part of a cell that the fastest wave crosses in a step, found anew "
            "in every step"},
    CaseKey{"time.method", words_of<TimeIntegrator>.data(), "that of the equation",
            "method of the steps" PERDURE_INTEGRATOR_WORDS(PERDURE_INTEGRATOR_MEANING)},
    CaseKey{"time.rtol", "number > 0", "1e-4",
            "rk23, rk45: error of a step, relative to the field in its cell"},
    CaseKey{"time.atol", "number >= 0", "1e-7", "rk23, rk45: the same, absolute, of all fields"},
    CaseKey{
        "time.implicit", "list of names", "",
        "imex: parts of problem.let and fields; a term of a sum that names such a part is implicit, and each "
        "term of such a field's rate"},
    CaseKey{"time.snapshots", "list of times, or a map", "",
            "times to write besides the end, {every: 0.5} in time, or {every_steps: 100}"},
    CaseKey{"time.snapshots.every", "number > 0", "", "writes a snapshot every so much time"},
    CaseKey{"time.snapshots.every_steps", "whole number > 0", "", "writes a snapshot every so many steps"},
    CaseKey{"execution", "map", "", "where and how the case runs"},
    CaseKey{"execution.backend", "auto, host, opencl or cuda", "auto",
            "auto: a CUDA GPU, else an OpenCL GPU, else host threads"},
    CaseKey{"execution.device", "whole number >= 0", "0",
            "number of the device, as `perdure devices` lists it"},
    CaseKey{"execution.model", "persistent, launches, graph, graph_while, resident or auto", "persistent",
            "the whole run in one launch, or one per phase"},
    CaseKey{"execution.precision", "float64, float32 or mixed", "float64",
            "mixed: cg in float64 with multigrid cycles in float32"},
    CaseKey{"execution.groups", "whole number > 0", "as many as fit", "thread blocks"},
    CaseKey{"execution.group_size", "whole number > 0", "by back end", "threads in a block"},
    CaseKey{"execution.barrier", "auto, group_leader, all_items, lock_free, tree or cooperative", "auto",
            "between phases; auto: the fastest"},
    CaseKey{"execution.cg_variant", "", "", "removed and ignored, with a warning"},
    CaseKey{"execution.reproducible", "true or false", "false",
            "true: nothing is chosen by timing that bits could depend on; refuses model auto"},
    CaseKey{"execution.watchdog", "number > 0", "20", "seconds without progress after which a run is ended"},
    CaseKey{"execution.time_limit", "seconds, or a text such as 1h30m", "",
            "ends a run in time so long after the start of the program, with a checkpoint"},
    CaseKey{"output", "map", "", "what is written, and where"},
    CaseKey{"output.directory", "folder", "results", "relative to the working directory"},
    CaseKey{"output.name", "file name", "name of the case file", "the result is DIRECTORY/NAME.vtkhdf"},
    CaseKey{"output.fields", "list of names", "those of the equation",
            "its fields, and flux: the vector -a grad u of steady problems; []: the report alone"},
    CaseKey{"output.compression", "none, fast or small", "fast",
            "of the fields, by all cores; gzip, the old word for fast, is read with a warning"},
    CaseKey{"output.series", "temporal or files", "temporal",
            "in time: all snapshots in one file, or each in a file of its own in NAME.snapshots"},
    CaseKey{"output.checkpoint", "map", "", "in time: what `perdure run --resume` goes on from"},
    CaseKey{"output.checkpoint.every_steps", "whole number > 0", "", "a checkpoint after so many steps"},
    CaseKey{"output.checkpoint.every_minutes", "number > 0", "", "a checkpoint after so much time"},
    CaseKey{"output.checkpoint.on_signal", "true or false", "true",
            "a checkpoint when the run is asked to stop"},
    CaseKey{"output.checkpoint.keep", "whole number > 0", "2", "so many of the newest are kept"},
    CaseKey{"output.units", "text", "", "of the first field"},
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
