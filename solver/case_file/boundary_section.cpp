#include <string>

#include <fmt/format.h>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/case_file/sections.hpp"
#include "solver/case_file/value_source.hpp"

namespace perdure {
namespace {

struct SideRules {
    ValueRules constant, scaled;

    [[nodiscard]] const ValueRules &of(const SideInput &input) const {
        return input.slot == SideInput::Slot::values ? scaled : constant;
    }
};

void read_inputs(const YamlValue &value, const BoundaryCondition &condition, const SideRules &rules,
                 SideConfig &side) {
    const SideInput &first = condition.inputs.front();
    if (is_given_by_word(condition)) {
        first.source(side) = read_value_source(value, rules.of(first));
        return;
    }
    YamlMap map(value);
    for (const SideInput &input : condition.inputs) {
        if (const auto given =
                map.require(input.key, fmt::format("{} of {}", input.symbol, condition.statement))) {
            input.source(side) = read_value_source(*given, rules.of(input));
        }
    }
    map.finish();
}

void read_side_map(const YamlValue &value, const SideRules &rules, SideConfig &side) {
    YamlMap map(value);
    std::string first;
    bool bare = false;
    for (const BoundaryCondition *const condition : all_boundary_conditions()) {
        const char *const word = name(condition->kind);
        if (condition->inputs.empty()) {
            bare = bare || map.has(word);
            map.refuse(word, fmt::format("write '{}: {}' without a map", value.path(), word));
            continue;
        }
        const auto given = map.take(word);
        if (!given) {
            continue;
        }
        if (!first.empty()) {
            value.error(
                fmt::format("found both '{}' and '{}', but a side has one kind of condition", first, word));
        }
        first = word;
        side.kind = condition->kind;
        read_inputs(*given, *condition, rules, side);
    }
    if (first.empty() && !bare && value.node().entries.empty()) {  // else finish() tells which keys are wrong
        value.error(fmt::format("expected {}", notations()));
    }
    map.finish();
}

/// The condition that a case gives by its word alone; null for other words.
const BoundaryCondition *find_bare(const std::string &word) {
    for (const BoundaryCondition *const condition : all_boundary_conditions()) {
        if (condition->inputs.empty() && word == name(condition->kind)) {
            return condition;
        }
    }
    return nullptr;
}

void read_side(const YamlValue &value, const SideRules &rules, SideConfig &side) {
    side.position = value.key_position();
    side.values.position = side.coefficient.position = value.position();
    if (value.node().kind == YamlNode::Kind::map) {
        read_side_map(value, rules, side);
        return;
    }
    const BoundaryCondition *const bare =
        value.node().kind == YamlNode::Kind::scalar ? find_bare(value.node().text) : nullptr;
    if (bare != nullptr) {
        side.kind = bare->kind;
    } else {
        value.expected(notations());
    }
}

/// Both sides of an axis are periodic or neither is.
void check_periodic(const YamlMap &boundary, const std::array<SideConfig, 6> &sides) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const std::size_t opposite = i ^ 1U;
        if (type_of(sides[i]) == BoundaryType::periodic && sides[opposite].kind != sides[i].kind) {
            const std::string state = boundary.has(side_names[opposite]) ? "is not" : "is not named";
            boundary.value().findings().error(
                sides[i].position,
                fmt::format("boundary.{}: {} belongs to both sides of an axis, and {} {}", side_names[i],
                            name(sides[i].kind), side_names[opposite], state));
        }
    }
}

}  // namespace

void read_boundary(YamlMap &root, const std::filesystem::path &folder, const Equation *equation,
                   std::optional<int> dimensions, std::array<SideConfig, 6> &sides) {
    const auto section = root.take("boundary");
    const TextPosition default_position = section ? section->key_position() : root.value().key_position();
    for (SideConfig &side : sides) {
        side.position = side.values.position = side.coefficient.position = default_position;
    }
    if (!section) {
        return;
    }
    SideRules rules{
        {folder,
         "the coefficient of a side must be constant in time; only its ambient value may have a factor"},
        {folder, {}}};
    rules.scaled.factor_refusal = refuse_factor(equation);
    YamlMap boundary(*section);
    SideConfig others = sides[0];
    if (const auto all = boundary.take("all")) {
        read_side(*all, rules, others);
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (dimensions && i >= 2 * static_cast<std::size_t>(*dimensions)) {
            boundary.refuse(side_names[i], why_no_axis(*dimensions, "sides along", side_names[i][0]));
        } else if (const auto side = boundary.take(side_names[i])) {
            read_side(*side, rules, sides[i]);
        } else {
            sides[i] = others;
        }
    }
    check_periodic(boundary, sides);
    boundary.finish();
}

}  // namespace perdure
