#include "solver/run/boxes.hpp"

#include <algorithm>
#include <limits>

#include "solver/run/divider.hpp"

namespace perdure {
namespace {

constexpr std::int64_t most_chunks = 528;
constexpr std::int64_t most_rows = 32;
constexpr std::uint32_t most_rows_apart = 8;
constexpr double items_that_load_together = 32.0;

std::int64_t ceiling(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
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
             count(cells[2], stacked ? rows : 1)}};
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
    const auto rounds = static_cast<double>(ceiling(boxes.count(), most_chunks));
    return rounds * rows * (1.0 + x + y + z) + 1.0e-9 * rows * boxes.count();
}

/// Whether groups that work side by side come to the next layer of boxes together. Where they do not, high boxes take up to half as
/// long again: what a box shares with its neighbours has left the cache.
bool keeps_layers_together(const Boxes &boxes) {
    const std::uint32_t layer = boxes.along[0] * boxes.along[1];
    const std::uint32_t chunks = chunks_of(boxes);
    return layer % chunks == 0 || chunks % layer == 0;
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
            if (allowed(boxes, stacked, cells[0]) && cost(boxes, stacked) < least) {
                least = cost(boxes, stacked);
                best = boxes;
            }
        }
    }
    return best;
}

std::uint32_t chunks_of(const Boxes &boxes) {
    const std::int64_t rounds = ceiling(boxes.count(), most_chunks);
    return static_cast<std::uint32_t>(ceiling(boxes.count(), rounds));
}

void set_boxes(const Boxes &boxes, run_parameters_t &out) {
    out.chunks = chunks_of(boxes);
    out.boxes = boxes.count();
    out.log2_lanes_x = boxes.log2_lanes_x;
    out.box_rows = boxes.rows;
    out.box_line = make_divider(boxes.along[0]);
    out.box_layer = make_divider(boxes.along[0] * boxes.along[1]);
}

}  // namespace perdure
