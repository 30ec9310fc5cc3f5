// The keys of problem.type: effective.
#include <fmt/format.h>

#include <algorithm>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/case_file/sections.hpp"

namespace perdure {
namespace {

constexpr std::array lateral_kinds{SideKind::flux, SideKind::periodic};
constexpr const char *what_directions_are = "all, or a list such as [x, y, z]";
constexpr std::size_t most_labels = 255;

void add_direction(const YamlValue &item, EffectiveConfig &effective) {
    const auto axis = item.word<Axis>();
    if (!axis) {
        return;
    }
    const int number = static_cast<int>(*axis);
    if (std::find(effective.axes.begin(), effective.axes.end(), number) != effective.axes.end()) {
        item.error(fmt::format("direction {} is given twice", name(*axis)));
        return;
    }
    effective.axes.push_back(number);
    effective.positions.push_back(item.position());
}

void read_directions(const YamlValue &value, EffectiveConfig &effective) {
    if (value.node().kind == YamlNode::Kind::scalar && value.node().text == "all") {
        return;
    }
    const auto items = value.list(what_directions_are);
    if (items && items->empty()) {
        value.error(fmt::format("expected {}, found an empty list", what_directions_are));
    }
    for (const YamlValue &item : items.value_or(std::vector<YamlValue>{})) {
        add_direction(item, effective);
    }
}

}  // namespace

EffectiveConfig read_effective(YamlMap &problem) {
    EffectiveConfig effective;
    effective.position = problem.value().key_position();
    if (const auto value = problem.take("directions")) {
        effective.position = value->position();
        read_directions(*value, effective);
    }
    if (const auto value = problem.take("lateral")) {
        const auto kind = value->word(lateral_kinds);
        effective.periodic = kind && condition_of(*kind).type == BoundaryType::periodic;
    }
    for (const char *const key : {"sigma", "f", "initial", "velocity", "convection"}) {
        problem.refuse(
            key, "an effective case has only the coefficient a; remove the key, or use type: diffusion");
    }
    return effective;
}

void check_image(const ValueSource &a, Findings &findings) {
    if (a.kind != ValueSource::Kind::labels) {
        findings.error(a.position,
                       "problem.a: an effective case needs a label image; expected {file: image.h5, dataset: "
                       "/image, labels: {0: 1.0, 1: 0.0}}");
    } else if (a.labels.size() > most_labels) {
        findings.error(a.position,
                       fmt::format("problem.a.labels: expected at most {} labels, found {}; in the image, "
                                   "give materials of equal conductivity the same label",
                                   most_labels, a.labels.size()));
    }
}

void settle_directions(Config &config, std::optional<int> dimensions, Findings &findings) {
    if (!config.effective || !dimensions) {
        return;
    }
    EffectiveConfig &effective = *config.effective;
    for (std::size_t i = 0; i < effective.axes.size(); ++i) {
        if (effective.axes[i] >= *dimensions) {
            findings.error(
                effective.positions[i],
                fmt::format("problem.directions[{}]: a grid with the shape [ny, nx] has no direction z; "
                            "it has x and y",
                            i));
        }
    }
    if (effective.axes.empty()) {
        for (int axis = 0; axis < *dimensions; ++axis) {
            effective.axes.push_back(axis);
        }
    }
    point_along(effective.axes.front(), config);
}

void point_along(int axis, Config &config) {
    for (int side = 0; side < 2 * config.grid.dimensions; ++side) {
        config.sides[side].kind = config.effective->periodic ? SideKind::periodic : SideKind::flux;
        config.sides[side].values.number = 0.0;
    }
    config.sides[2 * axis].kind = config.sides[2 * axis + 1].kind = SideKind::value;
    config.sides[2 * axis].values.number = 1.0;
}

}  // namespace perdure
