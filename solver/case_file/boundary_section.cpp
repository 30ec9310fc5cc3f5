#include <fmt/format.h>

#include "solver/case_file/sections.hpp"
#include "solver/case_file/value_source.hpp"

namespace perdure {
namespace {

constexpr const char *what_a_side_is =
    "{value: v}, {flux: q}, {exchange: {coefficient: h, ambient: v}} or periodic";

struct SideRules {
    ValueRules constant, scaled;
};

void read_exchange(const YamlValue &value, const SideRules &rules, SideConfig &side) {
    YamlMap map(value);
    if (const auto coefficient = map.require("coefficient", "h of a du/dn = h (ambient - u)")) {
        side.coefficient = read_value_source(*coefficient, rules.constant);
    }
    if (const auto ambient = map.require("ambient", "the value outside, of a du/dn = h (ambient - u)")) {
        side.values = read_value_source(*ambient, rules.scaled);
    }
    map.finish();
}

void read_side_map(const YamlValue &value, const SideRules &rules, SideConfig &side) {
    YamlMap map(value);
    std::string first;
    for (const SideKind kind : {SideKind::value, SideKind::flux, SideKind::exchange}) {
        const auto given = map.take(name(kind));
        if (!given) {
            continue;
        }
        if (!first.empty()) {
            value.error(fmt::format("found both '{}' and '{}': a side has one kind", first, name(kind)));
        }
        first = name(kind);
        side.kind = kind;
        if (kind == SideKind::exchange) {
            read_exchange(*given, rules, side);
        } else {
            side.values = read_value_source(*given, rules.scaled);
        }
    }
    map.refuse("periodic", fmt::format("write '{}: periodic', without a map", value.path()));
    if (first.empty() && !map.has("periodic")) {
        value.error(fmt::format("expected {}", what_a_side_is));
    }
    map.finish();
}

void read_side(const YamlValue &value, const SideRules &rules, SideConfig &side) {
    side.position = value.key_position();
    side.values.position = side.coefficient.position = value.position();
    if (value.node().kind == YamlNode::Kind::map) {
        read_side_map(value, rules, side);
    } else if (value.node().kind == YamlNode::Kind::scalar && value.node().text == name(SideKind::periodic)) {
        side.kind = SideKind::periodic;
    } else {
        value.expected(what_a_side_is);
    }
}

/// Both sides of an axis are periodic or neither is.
void check_periodic(const YamlMap &boundary, const std::array<SideConfig, 6> &sides) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const std::size_t opposite = i ^ 1U;
        if (sides[i].kind == SideKind::periodic && sides[opposite].kind != SideKind::periodic) {
            const std::string state = boundary.has(side_names[opposite]) ? "is not" : "is not named";
            boundary.value().findings().error(
                sides[i].position,
                fmt::format("boundary.{}: periodic belongs to both sides of an axis, and {} {}",
                            side_names[i], side_names[opposite], state));
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
    SideRules rules{{folder, "the coefficient of a side is constant in time; its ambient may have a factor"},
                    {folder, {}}};
    rules.scaled.factor_refusal = refuse_factor(equation);
    YamlMap boundary(*section);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (i >= 4 && dimensions == 2) {
            boundary.refuse(side_names[i], "a grid with the shape [ny, nx] has no sides along z");
        } else if (const auto side = boundary.take(side_names[i])) {
            read_side(*side, rules, sides[i]);
        }
    }
    check_periodic(boundary, sides);
    boundary.finish();
}

}  // namespace perdure
