// The keys of problem.type: effective.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/case_file/sections.hpp"
#include "solver/equations/equation.hpp"

namespace perdure {
namespace {

constexpr std::array lateral_kinds{SideKind::flux, SideKind::periodic};
constexpr const char *what_directions_are = "all, or a list such as [x, y, z]";
constexpr std::size_t most_labels = 255;
constexpr std::int64_t most_along_axis = std::numeric_limits<std::int32_t>::max();

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

std::optional<SubvolumeConfig> read_subvolume(const YamlValue &value) {
    SubvolumeConfig subvolume;
    subvolume.position = subvolume.from_position = value.position();
    YamlMap map(value);
    if (const auto shape = map.require("shape", "the cells along each axis, or one number for a cube")) {
        subvolume.position = shape->position();
        if (shape->node().kind == YamlNode::Kind::list) {
            subvolume.shape = shape->whole_numbers("cells along each axis of the grid", 1, most_along_axis);
        } else if (const auto edge = shape->whole_number(1, most_along_axis)) {
            subvolume.shape = {*edge};
        }
    }
    if (const auto from = map.take("from")) {
        subvolume.from_position = from->position();
        subvolume.from = from->whole_numbers(
            "the index of the first cell along each axis, such as [0, 50, 0]", 0, most_along_axis);
    }
    map.finish();
    return subvolume.shape.empty() ? std::nullopt : std::optional(std::move(subvolume));
}

/// Of labels with a conductivity for each axis the value is their mean.
void settle_conductivities(int dimensions, ValueSource &a, Findings &findings) {
    for (const auto &[label, by_axis] : a.labels_by_axis) {
        double sum = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            if (std::isnan(by_axis[axis]) != (axis >= dimensions)) {
                findings.error(
                    a.position,
                    fmt::format("problem.a.labels: label {} needs a conductivity along {}, or one number "
                                "for all",
                                label, dimensions == 3 ? "x, y and z" : "x and y"));
                return;
            }
            sum += axis < dimensions ? by_axis[axis] : 0.0;
        }
        a.labels[label] = sum / dimensions;
    }
}

/// The grid becomes that of the subvolume, where it lies in the image.
void cut_out(SubvolumeConfig &subvolume, int dimensions, Config &config, Findings &findings) {
    const auto axes = static_cast<std::size_t>(dimensions);
    if (subvolume.shape.size() == 1) {
        subvolume.shape.assign(axes, subvolume.shape.front());
    }
    if (subvolume.from.empty()) {
        subvolume.from.assign(axes, 0);
    }
    if (subvolume.shape.size() != axes || subvolume.from.size() != axes) {
        findings.error(
            subvolume.shape.size() != axes ? subvolume.position : subvolume.from_position,
            fmt::format("problem.subvolume: expected {} numbers, one for each axis of grid.shape", axes));
        return;
    }
    DatasetPart part{{}, subvolume.from};
    for (std::size_t i = 0; i < axes; ++i) {
        const std::size_t axis = axes - 1 - i;
        const std::int64_t cells = config.grid.cells[axis], end = subvolume.from[i] + subvolume.shape[i];
        if (end > cells) {
            findings.error(
                subvolume.position,
                fmt::format(
                    "problem.subvolume: it ends at cell {} along {}, and the image has {} there (grid.shape)",
                    end, name(static_cast<Axis>(axis)), cells));
            return;
        }
        part.whole.push_back(cells);
        config.grid.cells[axis] = subvolume.shape[i];
        config.grid.origin[axis] += static_cast<double>(subvolume.from[i]) * config.grid.spacing[axis];
    }
    config.a.part = std::move(part);
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
        const bool periodic = kind && condition_of(*kind).type == BoundaryType::periodic;
        effective.sides = periodic ? ImageSides::periodic : ImageSides::insulated;
    }
    if (const auto value = problem.take("subvolume")) {
        effective.subvolume = read_subvolume(*value);
    }
    for (const char *const key : {"sigma", "f", "initial", "velocity", "convection"}) {
        problem.refuse(
            key, "an effective case has only the coefficient a; remove the key, or use type: diffusion");
    }
    return effective;
}

void read_periodic_cell(YamlMap &root, Config &config) {
    const auto section = root.take("boundary");
    const bool is_map = section && section->node().kind == YamlNode::Kind::map;
    if (!section || section->node().kind == YamlNode::Kind::null ||
        (is_map && section->node().entries.empty())) {
        return;
    }
    const char *const only_periodic = equation_of(config.type).only_periodic;
    YamlMap boundary(*section);
    const auto all = boundary.require("all", "periodic, the only sides that this section has here");
    if (all && all->node().text != name(SideKind::periodic)) {
        all->error(only_periodic);
    }
    for (const char *const side : side_names) {
        boundary.refuse(side, only_periodic);
    }
    boundary.finish();
    const YamlNode *const lateral = root.value().node().find("problem")->find("lateral");
    if (lateral != nullptr && config.effective->sides == ImageSides::insulated) {
        root.value().findings().error(
            lateral->position,
            "problem.lateral: the sides are insulated here, but boundary makes all of them periodic; remove "
            "one of the two keys");
    }
    config.effective->sides = ImageSides::periodic_cell;
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

void check_tensors(const Config &config, Findings &findings) {
    if (!config.a.labels_cross.empty() && (config.solver.method != SolverMethod::cg ||
                                           config.solver.preconditioner != Preconditioner::multigrid)) {
        findings.error(
            config.solver.position,
            fmt::format("solver: label {} has a tensor with xy, xz or yz, which only method: cg with "
                        "preconditioner: multigrid solves; remove both keys, as these are the defaults",
                        config.a.labels_cross.begin()->first));
    }
}

void settle_directions(Config &config, std::optional<int> dimensions, Findings &findings) {
    if (!config.effective || !dimensions) {
        return;
    }
    if (*dimensions == 1) {
        findings.error(config.a.position,
                       "problem.a: an effective property is that of an image of 2 or 3 axes, and this has 1");
        return;
    }
    EffectiveConfig &effective = *config.effective;
    settle_conductivities(*dimensions, config.a, findings);
    if (effective.subvolume) {
        cut_out(*effective.subvolume, *dimensions, config, findings);
    }
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
    const ImageSides sides = config.effective->sides;
    for (int side = 0; side < 2 * config.grid.dimensions; ++side) {
        config.sides[side].kind = sides == ImageSides::insulated ? SideKind::flux : SideKind::periodic;
        config.sides[side].values.number = 0.0;
    }
    if (sides != ImageSides::periodic_cell) {
        config.sides[2 * axis].kind = config.sides[2 * axis + 1].kind = SideKind::value;
        config.sides[2 * axis].values.number = 1.0;
    }
}

}  // namespace perdure
