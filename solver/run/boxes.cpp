#include "solver/run/boxes.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "solver/run/divider.hpp"

namespace perdure {
namespace {

constexpr std::int64_t most_groups = 528;
/// Of a grid with more boxes than groups that is large enough to keep four H100 busy.
constexpr std::int64_t most_chunks_of_many = 4 * most_groups;
constexpr std::int64_t many_cells = std::int64_t{1} << 23;
/// But where there are fewer layers.
constexpr std::int64_t least_sections = 8;
constexpr std::int64_t most_sections = 128;
constexpr std::int64_t rounds_tried = 16;
constexpr std::int64_t most_rows = 32;
constexpr std::uint32_t most_rows_apart = 8;
constexpr double items_that_load_together = 32.0;

std::int64_t ceiling(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Each of so many layers of boxes along the last axis, the last one of fewer; boxes of a section, and of each of its chunks.
struct Sections {
    std::int64_t count, layers, boxes, rounds;
};

std::int64_t layers_of(const Boxes &boxes) {
    return boxes.along[boxes.stacked ? 2 : 1];
}

/// Along the last axis.
std::int64_t cells_of_layer(const Boxes &boxes) {
    return boxes.stacked ? boxes.rows : boxes.rows * (LANES >> boxes.log2_lanes_x);
}

std::int64_t section_chunks(const Sections &sections) {
    return ceiling(sections.boxes, sections.rounds);
}

/// Boxes that the busiest group of so many devices goes through, times the devices.
std::int64_t work_of(const Sections &sections, std::int64_t devices) {
    const std::int64_t chunks = ceiling(sections.count, devices) * section_chunks(sections);
    return devices * ceiling(chunks, most_groups) * sections.rounds;
}

/// As equal work as can be for one device and, where there are cells enough, for two and four.
std::int64_t whole_work_of(const Sections &sections, bool of_many) {
    return work_of(sections, 1) + (of_many ? work_of(sections, 2) + work_of(sections, 4) : 0);
}

Sections sections_of(const Boxes &boxes) {
    const std::int64_t layers = layers_of(boxes);
    const std::int64_t layer_boxes = boxes.count() / layers;
    if (boxes.count() <= most_groups) {
        return {layers, 1, layer_boxes, 1};
    }
    const bool of_many = std::int64_t{boxes.count()} * boxes.rows * LANES >= many_cells;
    const std::int64_t most_chunks = of_many ? most_chunks_of_many : most_groups;
    std::optional<Sections> best;
    std::int64_t least_work = 0;
    const std::int64_t finest = ceiling(layers, most_sections);
    for (std::int64_t of_section = finest; of_section <= ceiling(layers, least_sections);
         of_section += finest) {
        const std::int64_t count = ceiling(layers, of_section);
        const std::int64_t in_section = of_section * layer_boxes;
        const std::int64_t fewest = ceiling(in_section, std::max<std::int64_t>(most_chunks / count, 1));
        for (std::int64_t rounds = fewest; rounds <= fewest + rounds_tried; ++rounds) {
            const Sections found{count, of_section, in_section, rounds};
            const std::int64_t work = whole_work_of(found, of_many);
            if (count * section_chunks(found) <= most_chunks && (!best || work < least_work)) {
                best = found;
                least_work = work;
            }
        }
    }
    return best.value_or(Sections{1, layers, boxes.count(), ceiling(boxes.count(), most_chunks)});
}

Boxes boxes_of(std::uint32_t log2_lanes_x, std::int64_t rows, const std::array<std::int64_t, 3> &cells,
               bool stacked) {
    const std::int64_t lanes_x = std::int64_t{1} << log2_lanes_x;
    const std::int64_t lanes_y = LANES / lanes_x;
    const auto count = [](std::int64_t cells_along, std::int64_t of_a_box) {
        return static_cast<std::uint32_t>(ceiling(cells_along, of_a_box));
    };
    return {log2_lanes_x,
            static_cast<std::uint32_t>(rows),
            {count(cells[0], lanes_x), count(cells[1], stacked ? lanes_y : lanes_y * rows),
             count(cells[2], stacked ? rows : 1)},
            stacked};
}

/// What a cell beyond a box costs, next to one of its own, as measured on an H100 (tools/results/resident_log.md, "Phases"). Few:
/// neighbours read the same cells at about the same time.
struct CostAround {
    double x, y, z;
};
constexpr CostAround around_2d{0.24, 1.0, 0.0};
constexpr CostAround around_3d{1.0, 0.03, 0.25};

/// Of a group that has most to do, in rows: its own cells, and those around a box. Among equals, few idle lanes.
double cost(const Boxes &boxes, bool stacked) {
    const double lanes_x = static_cast<double>(1U << boxes.log2_lanes_x);
    const double lanes_y = LANES / lanes_x;
    const double rows = boxes.rows;
    const CostAround &a_cell = stacked ? around_3d : around_2d;
    const double x = 2.0 * a_cell.x / lanes_x * std::max(1.0, items_that_load_together / lanes_x);
    const double y = 2.0 * a_cell.y / (stacked ? lanes_y : lanes_y * rows);
    const double z = 2.0 * a_cell.z / rows;
    const auto rounds = static_cast<double>(work_of(sections_of(boxes), 1));
    return rounds * rows * (1.0 + x + y + z) + 1.0e-9 * rows * boxes.count();
}

/// Whether groups that work side by side come to the next layer of boxes together. Where they do not, high boxes take up to half as
/// long again: what a box shares with its neighbours has left the cache.
bool keeps_layers_together(const Boxes &boxes) {
    const std::int64_t layer = boxes.along[0] * boxes.along[1];
    const std::int64_t rounds = ceiling(boxes.count(), most_groups);
    const std::int64_t together = ceiling(boxes.count(), rounds);
    return layer % together == 0 || together % layer == 0;
}

bool allowed(const Boxes &boxes, bool stacked, std::int64_t cells_x) {
    const bool too_wide = boxes.log2_lanes_x > 0 && (std::int64_t{1} << boxes.log2_lanes_x) >= 2 * cells_x;
    const bool too_high = stacked && boxes.rows > most_rows_apart && !keeps_layers_together(boxes);
    return !too_wide && !too_high;
}

}  // namespace

Boxes choose_boxes(const std::array<std::int64_t, 3> &cells, int dimensions) {
    const bool stacked = dimensions == 3;
    Boxes best;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t log2_lanes_x = 0; (1U << log2_lanes_x) <= LANES; ++log2_lanes_x) {
        for (std::int64_t rows = 1; rows <= most_rows; rows *= 2) {
            const Boxes boxes = boxes_of(log2_lanes_x, rows, cells, stacked);
            const double of_these = allowed(boxes, stacked, cells[0])
                                        ? cost(boxes, stacked)
                                        : std::numeric_limits<double>::infinity();
            if (of_these < least) {
                least = of_these;
                best = boxes;
            }
        }
    }
    return best;
}

std::vector<double> cuts_between(int devices, const Boxes &boxes, const std::array<std::int64_t, 3> &cells) {
    const Sections sections = sections_of(boxes);
    const auto length = static_cast<double>(cells[boxes.stacked ? 2 : 1]);
    std::vector<double> cuts;
    for (int device = 1; device < devices; ++device) {
        const std::int64_t layer = sections.count * device / devices * sections.layers;
        cuts.push_back(std::min(static_cast<double>(layer * cells_of_layer(boxes)) / length, 1.0));
    }
    return cuts;
}

int most_devices(const Boxes &boxes) {
    return static_cast<int>(sections_of(boxes).count);
}

std::string describe_parts(const Boxes &boxes, const std::array<std::int64_t, 3> &cells, int dimensions) {
    const std::int64_t cells_along = cells[static_cast<std::size_t>(dimensions - 1)];
    if (cells_along == 1) {
        return "a grid of one dimension is not cut";
    }
    const Sections sections = sections_of(boxes);
    return fmt::format(
        "the grid is cut along {}, the first axis of grid.shape, into slabs of {} cells or multiples of "
        "that; "
        "of {} cells there are {} such slabs at most",
        "xyz"[dimensions - 1], sections.layers * cells_of_layer(boxes), cells_along, sections.count);
}

std::uint32_t chunks_of(const Boxes &boxes) {
    const Sections sections = sections_of(boxes);
    return static_cast<std::uint32_t>(sections.count * section_chunks(sections));
}

void set_boxes(const Boxes &boxes, run_parameters_t &out) {
    const Sections sections = sections_of(boxes);
    out.chunks = chunks_of(boxes);
    out.boxes = boxes.count();
    out.sections = static_cast<std::uint32_t>(sections.count);
    out.section_boxes = static_cast<std::uint32_t>(sections.boxes);
    out.section_chunks = make_divider(static_cast<std::uint32_t>(section_chunks(sections)));
    out.log2_lanes_x = boxes.log2_lanes_x;
    out.box_rows = boxes.rows;
    out.box_line = make_divider(boxes.along[0]);
    out.box_layer = make_divider(boxes.along[0] * boxes.along[1]);
}

}  // namespace perdure
