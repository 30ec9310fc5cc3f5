#include "solver/case_file/system_section.hpp"
#include "solver/case_file/sections.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/case_file/formula_text.hpp"
#include "solver/case_file/value_source.hpp"
#include "solver/formulas/names.hpp"
#include "solver/systems/system.hpp"

namespace perdure {

/// A number, or {value: a number, units: m2/s}.
void read_parameter(const std::string &name, const YamlValue &value, SystemConfig &system) {
    const std::string why_not = formulas::why_not_a_name(name);
    if (!why_not.empty()) {
        value.findings().error(value.key_position(), fmt::format("{}: {}", value.path(), why_not));
        return;
    }
    double number = 0.0;
    if (value.node().kind == YamlNode::Kind::map) {
        YamlMap map(value);
        if (const auto given = map.require("value", "a number")) {
            number = given->number().value_or(0.0);
        }
        if (const auto units = map.take("units")) {
            system.parameter_units[name] =
                units->text("the units of the parameter, such as m2/s").value_or("");
        }
        map.finish();
    } else {
        number = value.number().value_or(0.0);
    }
    system.parameters.emplace_back(name, number);
    system.parameter_positions[name] = value.key_position();
}

std::vector<std::pair<std::string, YamlValue>> entries_of(const YamlValue &value, const std::string &what) {
    std::vector<std::pair<std::string, YamlValue>> entries;
    if (value.node().kind != YamlNode::Kind::map || value.node().entries.empty()) {
        value.expected(what);
        return entries;
    }
    for (const YamlEntry &entry : value.node().entries) {
        entries.emplace_back(entry.key, YamlValue(entry.value, join_path(value.path(), entry.key),
                                                  entry.key_position, value.findings()));
    }
    return entries;
}

namespace {

/// What a side has of the kind that its map names.
void read_side_map(const YamlValue &value, SystemSide &side) {
    YamlMap map(value);
    int given = 0;
    for (const BoundaryCondition *const condition : all_boundary_conditions()) {
        const char *const word = name(condition->kind);
        if (condition->inputs.empty()) {
            map.refuse(word, fmt::format("write '{}: {}' without a map", value.path(), word));
            continue;
        }
        const auto inner = map.take(word);
        if (!inner) {
            continue;
        }
        side.kind = condition->kind;
        ++given;
        if (is_given_by_word(*condition)) {
            side.values = read_formula(*inner, "a formula");
            continue;
        }
        YamlMap inputs(*inner);
        for (const SideInput &input : condition->inputs) {
            if (const auto formula = inputs.require(input.key, "a formula")) {
                (input.slot == SideInput::Slot::values ? side.values : side.coefficient) =
                    read_formula(*formula, "a formula");
            }
        }
        inputs.finish();
    }
    map.finish();
    if (given > 1 || value.node().entries.empty()) {  // else finish() tells which keys are wrong
        value.error(fmt::format("expected one of {}", notations()));
    }
}

SystemSide read_side(const YamlValue &value) {
    SystemSide side;
    side.values.position = side.coefficient.position = value.position();
    if (value.node().kind == YamlNode::Kind::map) {
        read_side_map(value, side);
    } else if (value.node().kind == YamlNode::Kind::scalar && value.node().text == name(SideKind::periodic)) {
        side.kind = SideKind::periodic;
    } else {
        value.expected(notations());
    }
    return side;
}

using GivenSides = std::array<std::optional<SystemSide>, 6>;

/// `all` for every side, then those that are named.
GivenSides read_sides(const YamlValue &section, std::optional<int> dimensions) {
    GivenSides sides;
    YamlMap map(section);
    const auto all = map.take("all");
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (dimensions && i >= 2 * static_cast<std::size_t>(*dimensions)) {
            map.refuse(side_names[i], why_no_axis(*dimensions, "sides along", side_names[i][0]));
            continue;
        }
        if (const auto side = map.take(side_names[i])) {
            sides[i] = read_side(*side);
        } else if (all) {
            sides[i] = read_side(*all);
        }
    }
    map.finish();
    return sides;
}

void check_periodic(const YamlValue &section, const GivenSides &sides) {
    for (std::size_t i = 0; i < sides.size(); i += 2) {
        const auto is_periodic = [&](std::size_t k) {
            return sides[k] && sides[k]->kind == SideKind::periodic;
        };
        if (is_periodic(i) != is_periodic(i + 1)) {
            section.error(
                fmt::format("{} is periodic and {} is not, but periodic applies to both sides of an axis",
                            side_names[is_periodic(i) ? i : i + 1], side_names[is_periodic(i) ? i + 1 : i]));
        }
    }
}

SystemField read_field(const std::string &name, const YamlValue &value, const ValueRules &rules) {
    SystemField field;
    field.name = name;
    field.position = value.key_position();
    field.initial = default_value_source(0.0, value.key_position());
    if (value.node().kind != YamlNode::Kind::map) {
        field.initial = read_value_source(value, rules);
        return field;
    }
    if (value.node().find("initial") == nullptr && value.node().find("boundary") == nullptr &&
        value.node().find("units") == nullptr && value.node().find("exact") == nullptr) {
        field.initial = read_value_source(value, rules);  // {file: .., dataset: ..}
        return field;
    }
    YamlMap map(value);
    if (const auto initial = map.take("initial")) {
        field.initial = read_value_source(*initial, rules);
    }
    if (const auto units = map.take("units")) {
        field.units = units->text("the units of the field, such as mol/m3").value_or("");
    }
    if (const auto exact = map.take("exact")) {
        field.exact = read_formula(*exact, "a formula");
    }
    if (const auto boundary = map.take("boundary")) {
        const GivenSides sides = read_sides(*boundary, std::nullopt);
        check_periodic(*boundary, sides);
        for (std::size_t i = 0; i < sides.size(); ++i) {
            field.own_sides[i] = sides[i].has_value();
            field.sides[i] = sides[i].value_or(SystemSide());
        }
    }
    map.finish();
    return field;
}

void read_equations(const YamlValue &section, SystemConfig &system) {
    for (const auto &[name, value] :
         entries_of(section, "a map of fields to formulas, such as {u: lap(u)}")) {
        const auto field =
            std::find_if(system.fields.begin(), system.fields.end(),
                         [&, &wanted = name](const SystemField &f) { return f.name == wanted; });
        if (field == system.fields.end()) {
            std::vector<std::string> names;
            for (const SystemField &known : system.fields) {
                names.push_back(known.name);
            }
            const std::string suggestion = closest(name, names);
            section.findings().error(
                value.key_position(),
                fmt::format("{}: problem.fields has no field '{}'{}", value.path(), shorten(name),
                            suggestion.empty() ? "" : fmt::format("; did you mean '{}'?", suggestion)));
            continue;
        }
        field->rate = read_formula(value, "the formula of du/dt");
    }
}

}  // namespace

SystemConfig read_system(YamlMap &problem, const std::filesystem::path &folder) {
    SystemConfig system;
    const ValueRules rules{folder, "in a system, values have no factor; write a formula that depends on t"};
    if (const auto fields = problem.require("fields", "the unknowns, such as {u: {initial: 0}}")) {
        for (const auto &[name, value] : entries_of(*fields, "a map of names to initial values")) {
            system.fields.push_back(read_field(name, value, rules));
        }
    }
    if (const auto parameters = problem.take("parameters")) {
        for (const auto &[name, value] : entries_of(*parameters, "a map of names to numbers")) {
            read_parameter(name, value, system);
        }
    }
    if (const auto coefficients = problem.take("coefficients")) {
        for (const auto &[name, value] : entries_of(*coefficients, "a map of names to values of each cell")) {
            system.coefficients.emplace_back(name, read_value_source(value, rules));
        }
    }
    if (const auto parts = problem.take("let")) {
        for (const auto &[name, value] : entries_of(*parts, "a map of names to formulas")) {
            system.parts.emplace_back(name, read_formula(value, "a formula"));
        }
    }
    if (const auto equations = problem.require("equations", "du/dt of each field, such as {u: lap(u)}")) {
        read_equations(*equations, system);
    }
    for (const SystemField &field : system.fields) {
        if (field.rate.text.empty()) {
            problem.value().findings().error(field.position,
                                             fmt::format("problem.equations.{}: missing; give du/dt for each "
                                                         "field, or 0 if the field does not change",
                                                         field.name));
        }
    }
    return system;
}

void read_system_boundary(YamlMap &root, std::optional<int> dimensions, Config &config) {
    const auto section = root.take("boundary");
    SystemConfig system = *config.system;
    const GivenSides sides = section ? read_sides(*section, dimensions) : GivenSides{};
    if (section) {
        check_periodic(*section, sides);
    }
    for (SystemField &field : system.fields) {
        for (std::size_t i = 0; i < sides.size(); ++i) {
            if (dimensions == 1 && i >= 2) {
                field.sides[i] = SystemSide();  // closed, whatever `all` says
            } else if (!field.own_sides[i] && sides[i]) {
                field.sides[i] = *sides[i];
            }
        }
    }
    for (std::size_t i = 0; i < 6 && !system.fields.empty(); ++i) {
        for (const SystemField &field : system.fields) {
            if ((field.sides[i].kind == SideKind::periodic) !=
                (system.fields.front().sides[i].kind == SideKind::periodic)) {
                root.value().findings().error(
                    field.position, fmt::format("boundary.{}: the fields '{}' and '{}' differ, but an axis "
                                                "must be periodic for all fields or for none",
                                                side_names[i], system.fields.front().name, field.name));
                return;
            }
        }
        const bool periodic = system.fields.front().sides[i].kind == SideKind::periodic;
        config.sides[i].kind = periodic ? SideKind::periodic : SideKind::flux;
    }
    config.system = std::make_shared<SystemConfig>(std::move(system));
}

const SystemConfig *formulas_of(const Config &config) {
    return (config.system ? config.system : config.watched_as).get();
}

void parse_system(Config &config, Findings &findings) {
    const SystemConfig *const formulas = formulas_of(config);
    if (formulas == nullptr || formulas->fields.empty() ||
        std::any_of(formulas->fields.begin(), formulas->fields.end(),
                    [](const SystemField &field) { return field.rate.text.empty(); })) {
        return;  // which is told already
    }
    try {
        if (config.time && !config.time->implicit_terms.empty()) {
            SystemConfig divided = *config.system;
            divided.implicit_terms = config.time->implicit_terms;
            config.system = std::make_shared<SystemConfig>(std::move(divided));
        }
        const Grid grid = grid_of(config.grid);
        auto system = std::make_shared<systems::System>(systems::make_system(*formulas_of(config), grid));
        for (const Diagnostic &warning : system->warnings) {
            findings.warn(warning.position, warning.message);
        }
        config.formulas = std::move(system);
    } catch (const Failure &failure) {
        for (const Diagnostic &finding : failure.diagnostics()) {
            findings.error(finding.position, finding.message);
        }
    }
}

}  // namespace perdure
