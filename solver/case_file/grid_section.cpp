#include <fmt/format.h>

#include <limits>

#include "solver/case_file/sections.hpp"

namespace perdure {
namespace {

constexpr std::int64_t most_cells = (std::int64_t{1} << 31) - 1;

/// Cells per axis in the order of the file (slowest first); empty after an error.
std::vector<std::int64_t> read_shape(const YamlValue &value) {
    const std::string what = "the numbers of cells [ny, nx] or [nz, ny, nx]";
    const auto items = value.list(what);
    if (!items) {
        return {};
    }
    if (items->size() != 2 && items->size() != 3) {
        value.error(fmt::format("expected {}, found a list of {}", what, items->size()));
        return {};
    }
    std::vector<std::int64_t> shape;
    std::int64_t total = 1;
    for (const YamlValue &item : *items) {
        if (const auto cells = item.whole_number(1, most_cells)) {
            shape.push_back(*cells);
            total = total > most_cells / *cells ? most_cells + 1 : total * *cells;
        }
    }
    if (total > most_cells) {
        value.error(fmt::format("expected at most {} cells in total, found more", most_cells));
    }
    return shape.size() == items->size() ? shape : std::vector<std::int64_t>{};
}

/// A number for all axes or a list with one for each; stored as x, y, z.
void read_per_axis(const YamlValue &value, std::optional<int> dimensions, const std::string &what,
                   bool (*accepts)(double), std::array<double, 3> &result) {
    if (value.node().kind != YamlNode::Kind::list) {
        if (value.node().kind != YamlNode::Kind::scalar) {
            value.expected(what + " or a list with one for each axis");
        } else if (const auto number = value.number(what, accepts)) {
            result.fill(*number);
        }
        return;
    }
    const auto items = value.list(what);
    if (items->size() < 2 || items->size() > 3 ||
        (dimensions && static_cast<int>(items->size()) != *dimensions)) {
        value.error(
            fmt::format("expected one number for each axis of grid.shape, slowest first, found a list of {}",
                        items->size()));
        return;
    }
    for (std::size_t i = 0; i < items->size(); ++i) {
        result[items->size() - 1 - i] = (*items)[i].number(what, accepts).value_or(result[0]);
    }
}

}  // namespace

std::optional<int> read_grid(YamlMap &root, GridConfig &grid) {
    const auto section = root.require("grid", "the box of cells, such as {shape: [64, 64], spacing: 1.0}");
    if (!section) {
        return std::nullopt;
    }
    grid.position = section->key_position();
    YamlMap map(*section);
    std::optional<int> dimensions;
    if (const auto value = map.require("shape", "the numbers of cells [ny, nx] or [nz, ny, nx]")) {
        const auto shape = read_shape(*value);
        for (std::size_t i = 0; i < shape.size(); ++i) {
            grid.cells[shape.size() - 1 - i] = shape[i];
        }
        const std::size_t given = value->node().items.size();
        if (given == 2 || given == 3) {
            dimensions = static_cast<int>(given);
            grid.dimensions = *dimensions;
        }
    }
    if (const auto spacing = map.take("spacing")) {
        read_per_axis(
            *spacing, dimensions, "a number > 0", [](double h) { return h > 0.0; }, grid.spacing);
    }
    if (const auto origin = map.take("origin")) {
        read_per_axis(
            *origin, dimensions, "a number", [](double) { return true; }, grid.origin);
    }
    map.finish();
    return dimensions;
}

}  // namespace perdure
