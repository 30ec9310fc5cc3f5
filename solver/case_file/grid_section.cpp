#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "solver/case_file/sections.hpp"
#include "solver/hdf5/read_dataset.hpp"

namespace perdure {
namespace {

constexpr std::int64_t most_cells = (std::int64_t{1} << 31) - 1;
constexpr const char *what_a_shape_is = "the numbers of cells [nx], [ny, nx] or [nz, ny, nx]";

bool is_number_of_axes(std::size_t axes) {
    return axes >= 1 && axes <= 3;
}

bool is_too_large(const std::vector<std::int64_t> &shape) {
    std::int64_t total = 1;
    for (const std::int64_t cells : shape) {
        total = total > most_cells / cells ? most_cells + 1 : total * cells;
    }
    return total > most_cells;
}

/// Cells per axis in the order of the file (slowest first); empty after an error.
std::vector<std::int64_t> read_shape(const YamlValue &value) {
    const std::size_t axes = value.node().items.size();
    if (value.node().kind == YamlNode::Kind::list && !is_number_of_axes(axes)) {
        value.error(fmt::format("expected {}, found a list of {}", what_a_shape_is, axes));
        return {};
    }
    const std::vector<std::int64_t> shape = value.whole_numbers(what_a_shape_is, 1, most_cells);
    if (is_too_large(shape)) {
        value.error(fmt::format("expected at most {} cells in total, found more", most_cells));
    }
    return shape;
}

/// The first coefficient that is given in each cell, by a dataset or an image; null where there is none.
const ValueSource *find_dataset(const Config &config) {
    for (const auto &[key, source] : values_of(config)) {
        const bool is_coefficient = std::ranges::find(coefficient_keys, key) != coefficient_keys.end() ||
                                    key.starts_with("coefficients.");
        const bool has_cells =
            source->kind == ValueSource::Kind::dataset || source->kind == ValueSource::Kind::labels;
        if (is_coefficient && has_cells && !source->dataset.empty()) {
            return source;
        }
    }
    return nullptr;
}

/// Of a case that leaves its shape to its data; empty after an error.
std::vector<std::int64_t> shape_of_data(const ValueSource &source, Findings &findings) {
    const auto refuse = [&](const std::string &message, ExitCode code) {
        findings.error(source.position,
                       fmt::format("grid.shape is not given, so it is that of this dataset: {}", message),
                       code);
        return std::vector<std::int64_t>{};
    };
    std::vector<std::int64_t> shape;
    try {
        shape = shape_of_dataset(source.file, source.dataset);
    } catch (const Failure &failure) {
        return refuse(failure.what(), failure.code());
    }
    if (!is_number_of_axes(shape.size()) || std::ranges::find(shape, 0) != shape.end()) {
        return refuse(fmt::format("expected {}, found [{}]", what_a_shape_is, fmt::join(shape, ", ")),
                      ExitCode::bad_input);
    }
    if (is_too_large(shape)) {
        return refuse(
            fmt::format("expected at most {} cells in total, found [{}]", most_cells, fmt::join(shape, ", ")),
            ExitCode::bad_input);
    }
    return shape;
}

/// The number of axes, as far as it is known; the cells along them where all of them can be read.
std::optional<int> read_cells(const std::optional<YamlValue> &section, const std::optional<YamlValue> &value,
                              const Config &config, Findings &findings, GridConfig &grid) {
    std::vector<std::int64_t> shape;
    std::size_t axes = 0;
    if (value) {
        shape = read_shape(*value);
        axes = value->node().items.size();
    } else if (const ValueSource *const source = find_dataset(config)) {
        shape = shape_of_data(*source, findings);
        axes = shape.size();
    } else if (section->node().kind == YamlNode::Kind::map) {
        findings.error(section->key_position(), fmt::format("missing key 'grid.shape': {}", what_a_shape_is));
    }
    if (!is_number_of_axes(axes)) {
        return std::nullopt;
    }
    grid.is_line = axes == 1;
    grid.dimensions = grid.is_line ? 2 : static_cast<int>(axes);
    for (std::size_t i = 0; i < shape.size() && shape.size() == axes; ++i) {
        grid.cells[axes - 1 - i] = shape[i];
    }
    return grid.axes();
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
    if (!is_number_of_axes(items->size()) || (dimensions && static_cast<int>(items->size()) != *dimensions)) {
        value.error(
            fmt::format("expected one number for each axis of grid.shape, slowest first, found a list of {}",
                        items->size()));
        return;
    }
    for (std::size_t i = 0; i < items->size(); ++i) {
        result[items->size() - 1 - i] = (*items)[i].number(what, accepts).value_or(result[0]);
    }
}

/// The edges of a cell, or those of the box.
void read_edges(YamlMap &map, std::optional<int> dimensions, GridConfig &grid) {
    const auto is_positive = [](double h) { return h > 0.0; };
    const auto spacing = map.take("spacing");
    const auto length = map.take("length");
    if (spacing && length) {
        length->error("expected either spacing, the edge of a cell, or length, that of the box");
    } else if (spacing) {
        read_per_axis(*spacing, dimensions, "a number > 0", is_positive, grid.spacing);
    } else if (length) {
        std::array<double, 3> lengths{1.0, 1.0, 1.0};
        read_per_axis(*length, dimensions, "a number > 0", is_positive, lengths);
        for (int axis = 0; axis < grid.axes(); ++axis) {
            grid.spacing[axis] = lengths[axis] / static_cast<double>(grid.cells[axis]);
        }
    }
}

}  // namespace

std::optional<int> read_grid(YamlMap &root, Config &config) {
    GridConfig &grid = config.grid;
    Findings &findings = root.value().findings();
    const bool is_of_data = find_dataset(config) != nullptr;
    const auto section =
        is_of_data ? root.take("grid")
                   : root.require("grid", "the box of cells, such as {shape: [64, 64], length: 1.0}");
    grid.position = section ? section->key_position() : root.value().key_position();
    std::optional<int> dimensions;
    if (section) {
        YamlMap map(*section);
        dimensions = read_cells(section, map.take("shape"), config, findings, grid);
        read_edges(map, dimensions, grid);
        if (const auto origin = map.take("origin")) {
            read_per_axis(
                *origin, dimensions, "a number", [](double) { return true; }, grid.origin);
        }
        map.finish();
    } else if (is_of_data) {
        dimensions = read_cells(section, std::nullopt, config, findings, grid);
    }
    if (grid.is_line) {
        grid.spacing[1] = 1.0;
        grid.origin[1] = -0.5;
    }
    return dimensions;
}

std::string why_no_axis(int dimensions, const std::string &what, char axis) {
    return fmt::format("a grid with the shape {} has no {} {}", dimensions == 1 ? "[nx]" : "[ny, nx]", what,
                       axis);
}

}  // namespace perdure
