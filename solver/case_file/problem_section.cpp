#include <fmt/format.h>

#include <algorithm>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/case_file/formula_text.hpp"
#include "solver/case_file/sections.hpp"
#include "solver/case_file/system_section.hpp"
#include "solver/case_file/time_tables.hpp"
#include "solver/case_file/value_source.hpp"
#include "solver/methods/method_options.hpp"

namespace perdure {
namespace {

ValueSource read_optional(YamlMap &problem, const std::string &key, const ValueRules &rules,
                          double by_default = 0.0) {
    const auto value = problem.take(key);
    return value ? read_value_source(*value, rules)
                 : default_value_source(by_default, problem.value().key_position());
}

std::optional<VelocityConfig> read_velocity(YamlMap &problem, const ValueRules &rules) {
    const auto value = problem.take("velocity");
    if (!value) {
        problem.refuse(
            "convection",
            "this key has a meaning only with a velocity; give problem.velocity, or remove the key");
        return std::nullopt;
    }
    VelocityConfig velocity;
    velocity.position = value->key_position();
    if (const auto convection = problem.take("convection")) {
        velocity.convection = convection->word<Convection>().value_or(velocity.convection);
    }
    const std::string what = "the components [vx], [vy, vx] or [vz, vy, vx]";
    const auto items = value->list(what);
    if (items && (items->empty() || items->size() > 3)) {
        value->error(fmt::format("expected {}, found a list of {}", what, items->size()));
    } else if (items) {
        velocity.dimensions = static_cast<int>(items->size());
        for (std::size_t i = 0; i < items->size(); ++i) {
            velocity.components[items->size() - 1 - i] = read_value_source((*items)[i], rules);
        }
    }
    return velocity;
}

/// Without "problem."
std::string key_in_problem(const CaseKey &key) {
    return std::string(key.path.substr(key.path.find('.') + 1));
}

bool is_source(const Equation &equation, const std::string &key) {
    return std::any_of(equation.fields.begin(), equation.fields.end(),
                       [&](const EquationField &field) { return field.f != nullptr && field.f == key; });
}

void read_capacity(YamlMap &problem, const Equation *equation, const ValueRules &rules, Config &config) {
    const auto has_one = [](const Equation &other) {
        return std::any_of(other.fields.begin(), other.fields.end(),
                           [](const EquationField &field) { return field.capacity != nullptr; });
    };
    if (equation == nullptr || has_one(*equation)) {
        config.capacity = read_optional(problem, "capacity", rules, 1.0);
        return;
    }
    for (const Equation &other : all_equations()) {
        if (has_one(other)) {
            problem.refuse("capacity",
                           fmt::format("this key belongs to type: {}; remove it, or change problem.type",
                                       name(other.type)));
        }
    }
}

/// Keys that some equations alone have: those of this one are read.
void read_own_values(YamlMap &problem, const Equation *equation, const ValueRules &constant,
                     const ValueRules &scaled, Config &config) {
    for (const Equation &other : all_equations()) {
        for (const CaseKey &key : other.keys) {
            const std::string own = key_in_problem(key);
            if (own.find('.') != std::string::npos) {
                continue;  // part of a key that is read or refused as a whole
            }
            if (equation == &other) {
                config.own_values[own] =
                    read_optional(problem, own, is_source(other, own) ? scaled : constant);
            } else if (equation != nullptr) {
                problem.refuse(own,
                               fmt::format("this key belongs to type: {}; remove it, or change problem.type",
                                           name(other.type)));
            }
        }
    }
}

}  // namespace

std::string refuse_factor(const Equation *equation) {
    return equation == nullptr || equation->in_time
               ? ""
               : fmt::format("a factor depends on time, but a {} problem is steady; remove the factor",
                             name(equation->type));
}

const Equation *read_problem(YamlMap &root, const std::filesystem::path &folder, Config &config) {
    const auto section = root.require("problem", "what to solve, such as {type: diffusion, a: 1.0, f: 1.0}");
    if (!section) {
        return nullptr;
    }
    YamlMap problem(*section);
    std::optional<ProblemType> type;
    if (const auto value = problem.require("type", words_of<ProblemType>.data())) {
        const bool is_scalar = value->node().kind == YamlNode::Kind::scalar;
        const std::string advice = is_scalar ? advice_on_equation(value->node().text) : "";
        if (!advice.empty()) {
            value->error(fmt::format("'{}' is {}", value->node().text, advice));
        } else {
            type = value->word<ProblemType>();
        }
    }
    const Equation *const equation = type ? &equation_of(*type) : nullptr;
    const ValueRules constant{folder, "only f and the values of sides may have a factor in time"};
    const ValueRules scaled{folder, refuse_factor(equation)};
    config.type = type.value_or(config.type);
    config.a = default_value_source(0.0, section->key_position());
    if (equation != nullptr && equation->of_case) {
        config.tables = read_tables(problem, folder);
        SystemConfig system = read_system(problem, folder);
        add_tables(config.tables, system);
        config.system = std::make_shared<SystemConfig>(std::move(system));
        problem.refuse("exact", "in a system each field has its own; give problem.fields.FIELD.exact");
        problem.finish();
        return equation;
    }
    if (const auto a = problem.require("a", "the coefficient of div(a grad u)")) {
        const bool of_image = equation != nullptr && equation->of_image;
        config.a = read_value_source(*a, {folder, constant.factor_refusal, of_image});
    }
    if (equation != nullptr && equation->of_image) {
        check_image(config.a, problem.value().findings());
        config.effective = read_effective(problem);
        problem.finish();
        return equation;
    }
    if (equation == nullptr || equation->may_be_system) {
        config.tables = read_tables(problem, folder);
    } else {
        problem.refuse(
            "tables",
            "tables in time belong to the types heat and system; remove the key, or change problem.type");
    }
    config.sigma = read_optional(problem, "sigma", constant);
    config.f = read_optional(problem, "f", scaled);
    config.initial = read_optional(problem, "initial", constant);
    if (const auto exact = problem.take("exact")) {
        config.exact = read_formula(*exact, "a formula");
    }
    if (const auto value = problem.take("sources_in_solids")) {
        config.sources_in_solids = value->word<SourcesInSolids>().value_or(config.sources_in_solids);
    }
    read_capacity(problem, equation, constant, config);
    read_own_values(problem, equation, constant, scaled, config);
    if (equation != nullptr && equation->no_velocity != nullptr) {
        for (const char *const key : {"velocity", "convection"}) {
            problem.refuse(key, equation->no_velocity);
        }
    } else {
        config.velocity = read_velocity(problem, constant);
    }
    problem.finish();
    return equation;
}

bool has_component_for_each_axis(const VelocityConfig &velocity, std::optional<int> dimensions,
                                 Findings &findings) {
    const bool has = !dimensions || velocity.dimensions == *dimensions;
    if (!has) {
        findings.error(velocity.position,
                       fmt::format("problem.velocity: expected one component for each axis of grid.shape, "
                                   "slowest first, found a list of {}",
                                   velocity.dimensions));
    }
    return has;
}

void check_velocity(const Config &config, std::optional<int> dimensions, Findings &findings) {
    if (!config.velocity) {
        return;
    }
    const VelocityConfig &velocity = *config.velocity;
    has_component_for_each_axis(velocity, dimensions, findings);
    const MethodOptions &method = options_of(config.solver.method);
    if (method.symmetric_only) {
        findings.error(
            config.solver.position,
            fmt::format(
                "solver.method: {} needs a symmetric operator, but a velocity makes it non-symmetric; use {}",
                name(method.method), name(method_for_velocity())));
    } else if (method.upwind_only && velocity.convection == Convection::central) {
        findings.error(config.solver.position,
                       fmt::format("solver.method: {} may not converge with central differences of a "
                                   "velocity; use {}, or problem.convection: upwind",
                                   name(method.method), name(method_for_velocity())));
    }
}

namespace {

/// The first odd number of cells that halving comes to before 1, or 0.
std::int64_t odd_on_the_way(std::int64_t cells) {
    while (cells > 1 && cells % 2 == 0) {
        cells /= 2;
    }
    return cells > 1 ? cells : 0;
}

/// Along one direction of an effective case an axis wraps around unless it is the only one asked for; in a periodic cell always.
bool ever_periodic(const Config &config, int axis) {
    if (!config.effective) {
        return is_periodic(config.sides, axis);
    }
    const std::vector<int> &axes = config.effective->axes;
    const ImageSides sides = config.effective->sides;
    return sides != ImageSides::insulated && axis < config.grid.dimensions &&
           (sides == ImageSides::periodic_cell ||
            std::any_of(axes.begin(), axes.end(), [axis](int asked) { return asked != axis; }));
}

}  // namespace

void check_colours(const Config &config, Findings &findings) {
    const SolverConfig &solver = config.solver;
    const bool levels = has_cycles(solver) && solver.multigrid.smoother == Smoother::red_black;
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t cells = config.grid.cells[axis];
        if (!ever_periodic(config, axis) || cells == 1) {
            continue;
        }
        if (options_of(solver.method).red_black && cells % 2 == 1) {
            findings.error(
                solver.position,
                fmt::format(
                    "solver.method: {} uses a red-black ordering, which needs an even number of cells along "
                    "a periodic axis, but grid.shape has {} along {}; use an even number, or method: cg",
                    name(solver.method), cells, "xyz"[axis]));
        }
        if (levels && odd_on_the_way(cells) > 0) {
            findings.error(
                solver.position,
                fmt::format(
                    "solver.multigrid.smoother: red_black needs an even number of cells along a periodic "
                    "axis on every level, but halving the {} cells along {} leads to {}; use chebyshev",
                    cells, "xyz"[axis], odd_on_the_way(cells)));
        }
    }
}

}  // namespace perdure
