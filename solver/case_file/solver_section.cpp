#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "solver/case_file/sections.hpp"
#include "solver/case_file/yaml_scalar.hpp"
#include "solver/methods/method_options.hpp"

namespace perdure {
namespace {

constexpr int most_direct_level = 39;
constexpr std::int64_t most_iterations = 1'000'000'000;

template <HasNames Choice>
void read_choice(YamlMap &map, const std::string &key, Choice &result) {
    if (const auto value = map.take(key)) {
        result = value->word<Choice>().value_or(result);
    }
}

void read_number(YamlMap &map, const std::string &key, const std::string &what, bool (*accepts)(double),
                 double &result) {
    if (const auto value = map.take(key)) {
        result = value->number(what, accepts).value_or(result);
    }
}

/// "jacobi or none"
std::string listed(std::span<const Preconditioner> choices) {
    std::vector<std::string> names;
    for (const Preconditioner choice : choices) {
        names.emplace_back(name(choice));
    }
    return fmt::format("{}", fmt::join(names, " or "));
}

/// `auto` or a number.
void read_omega(YamlMap &map, SolverConfig &solver) {
    if (!options_of(solver.method).takes_omega) {
        map.refuse("omega", fmt::format("method {} has no omega, which belongs to method {}; remove the key",
                                        name(solver.method), methods_with(&MethodOptions::takes_omega)));
    } else if (const auto value = map.take("omega"); value && value->node().text != "auto") {
        solver.omega =
            value->number("auto or a number in (0, 2)", [](double w) { return w > 0.0 && w < 2.0; })
                .value_or(solver.omega);
    }
}

/// `full` or `zero`.
void read_start(YamlMap &map, MultigridConfig &multigrid) {
    if (const auto value = map.take("start")) {
        multigrid.full_start = value->node().text == "full";
        if (!multigrid.full_start && value->node().text != "zero") {
            value->error(fmt::format("expected zero or full, found '{}'", value->node().text));
        }
    }
}

/// `auto`, `none` or the number of a level.
void read_direct_level(YamlMap &map, MultigridConfig &multigrid) {
    const auto value = map.take("direct_level");
    if (!value) {
        return;
    }
    multigrid.direct_level_position = value->position();
    if (value->node().text == "auto") {
        return;
    }
    if (value->node().text == "none") {
        multigrid.direct_level = MultigridConfig::none;
        return;
    }
    const auto level = parse_whole_number(value->node().text);
    if (!level || *level < 0 || *level > most_direct_level) {
        value->expected(fmt::format("auto, none or a level from 0 to {}", most_direct_level));
        return;
    }
    multigrid.direct_level = static_cast<int>(*level);
}

/// How a multigrid cycle is made.
void read_multigrid(YamlMap &solver_map, SolverConfig &solver) {
    const bool method = options_of(solver.method).is_cycles;
    if (!has_cycles(solver)) {
        solver_map.refuse("multigrid",
                          "this key belongs to method multigrid and preconditioner multigrid; remove it, or "
                          "use one of these");
        return;
    }
    const auto section = solver_map.take("multigrid");
    if (!section) {
        return;
    }
    YamlMap map(*section);
    if (method) {
        read_choice(map, "cycle", solver.multigrid.cycle);
        read_start(map, solver.multigrid);
    } else {
        for (const char *const key : {"cycle", "start"}) {
            map.refuse(key, fmt::format("{} needs a symmetric preconditioner, that is, one v cycle from "
                                        "zero; the cycles w and f and start: full belong to method {}",
                                        name(solver.method), methods_with(&MethodOptions::is_cycles)));
        }
    }
    read_choice(map, "smoother", solver.multigrid.smoother);
    if (const auto value = map.take("sweeps")) {
        solver.multigrid.sweeps =
            static_cast<int>(value->whole_number(1, 8).value_or(solver.multigrid.sweeps));
    }
    read_direct_level(map, solver.multigrid);
    map.finish();
}

void read_preconditioner(YamlMap &map, SolverConfig &solver) {
    const MethodOptions &method = options_of(solver.method);
    if (method.preconditioners.empty()) {
        map.refuse("preconditioner",
                   fmt::format("method {} has no preconditioner, which belongs to the methods {}; remove the "
                               "key (--set solver.preconditioner= removes it)",
                               name(solver.method), methods_with([](const MethodOptions &row) {
                                   return !row.preconditioners.empty();
                               })));
        solver.preconditioner = Preconditioner::none;
        return;
    }
    if (!method.takes(solver.preconditioner)) {
        solver.preconditioner = method.preconditioners.front();
    }
    const auto value = map.take("preconditioner");
    const auto word = value ? value->word<Preconditioner>() : std::nullopt;
    if (word && !method.takes(*word)) {
        value->error(fmt::format("preconditioner {} works with method {} only; method {} accepts {}",
                                 name(*word),
                                 methods_with([&](const MethodOptions &row) { return row.takes(*word); }),
                                 name(solver.method), listed(method.preconditioners)));
    } else if (word) {
        solver.preconditioner = *word;
    }
}

/// Keys that belong to one method only.
void read_method_options(YamlMap &map, SolverConfig &solver) {
    if (const auto value = map.take("method")) {
        const auto method = value->word<SolverMethod>();
        if (!method) {
            map.take("weight");
            map.take("omega");
            map.take("preconditioner");
            map.take("multigrid");
            return;
        }
        solver.method = *method;
    }
    read_preconditioner(map, solver);
    read_multigrid(map, solver);
    read_omega(map, solver);
    if (options_of(solver.method).takes_weight) {
        read_number(
            map, "weight", "a number in (0, 2)", [](double w) { return w > 0.0 && w < 2.0; }, solver.weight);
    } else {
        map.refuse("weight",
                   fmt::format("method {} has no weight, which belongs to method {}; remove the key",
                               name(solver.method), methods_with(&MethodOptions::takes_weight)));
    }
}

void read_tolerances(YamlMap &map, SolverConfig &solver) {
    read_choice(map, "norm", solver.norm);
    read_number(
        map, "rtol", "a number in [0, 1)", [](double r) { return r >= 0.0 && r < 1.0; }, solver.rtol);
    read_number(
        map, "atol", "a number >= 0", [](double a) { return a >= 0.0; }, solver.atol);
    if (solver.rtol == 0.0 && solver.atol == 0.0) {
        map.value().findings().error(solver.position,
                                     "solver: rtol and atol are both 0, so the run could never converge; "
                                     "give one of them a value > 0");
    }
}

/// The last iteration is checked, too, so that an interval longer than the run is the run.
void read_check_every(YamlMap &map, std::int64_t most, SolverConfig &solver) {
    if (const auto value = map.take("check_every")) {
        solver.check_every = value->whole_number(1, most_iterations).value_or(solver.check_every);
    }
    solver.check_every = std::min(solver.check_every, most);
}

/// Explicit steps solve no system: only the interval of checks is left to choose.
void refuse_iterative_keys(TimeIntegrator integrator, YamlMap &map) {
    for (const char *key : {"method", "preconditioner", "norm", "rtol", "atol", "weight", "omega",
                            "multigrid", "max_iterations"}) {
        map.refuse(key, fmt::format("the time steps of {} are explicit and solve no linear system; only "
                                    "check_every has an effect here",
                                    name(integrator)));
    }
}

/// Steps of systems have one solver, and its residual is measured in one way.
void refuse_choices_of_solver(TimeIntegrator integrator, YamlMap &map) {
    for (const char *key : {"method", "preconditioner", "norm", "weight", "omega", "multigrid"}) {
        map.refuse(
            key,
            fmt::format(
                "in a system, the time steps of {} are solved by Newton's method with bicgstab in the l2 "
                "norm of all fields; only rtol, atol, max_iterations and check_every have an effect here",
                name(integrator)));
    }
}

/// Of implicit steps.
void check_steps(const YamlMap &map, const TimeConfig &time, const SolverConfig &solver) {
    if (!options_of(solver.method).solves_steps) {
        map.value().findings().error(
            solver.position,
            fmt::format("solver.method: {} cannot solve the steps of time.method: {}; use {}",
                        name(solver.method), name(time.integrator),
                        methods_with(&MethodOptions::solves_steps)));
    }
}

}  // namespace

void read_solver(YamlMap &root, const Equation *equation, const std::optional<TimeConfig> &time,
                 SolverConfig &solver) {
    const auto section = root.take("solver");
    solver.position = section ? section->key_position() : root.value().key_position();
    if (!section) {
        if (has_cycles(solver)) {
            solver.check_every = 1;
        }
        return;
    }
    YamlMap map(*section);
    if (equation != nullptr && equation->in_time && !(time && is_implicit(time->integrator))) {
        refuse_iterative_keys(time ? time->integrator : equation->integrators.front(), map);
        read_check_every(map, most_iterations, solver);
    } else {
        const bool by_newton = time && equation != nullptr && equation->of_case;
        if (by_newton) {
            refuse_choices_of_solver(time->integrator, map);
        } else {
            read_method_options(map, solver);
        }
        read_tolerances(map, solver);
        if (has_cycles(solver)) {
            solver.check_every = 1;  // an iteration takes long, and its residual is known anyway
        }
        if (const auto value = map.take("max_iterations")) {
            solver.max_iterations = value->whole_number(1, most_iterations).value_or(solver.max_iterations);
        }
        read_check_every(map, solver.max_iterations, solver);
        if (time && !by_newton) {
            check_steps(map, *time, solver);
        }
    }
    map.finish();
}

}  // namespace perdure
