#include "solver/run/boxes.hpp"

#include <limits>

#include "solver/run/divider.hpp"

namespace perdure {
namespace {

constexpr std::int64_t most_chunks = 528;
constexpr std::int64_t most_rows = 32;
constexpr int cells_of_a_sector = 4;  // what a load moves at least

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

/// Loads of a group that has most to do, in rows: its own cells, and those around a box. Among equals, few idle lanes.
double cost(const Boxes &boxes, bool stacked) {
    const double lanes_x = static_cast<double>(1U << boxes.log2_lanes_x);
    const double lanes_y = LANES / lanes_x;
    const double rows = boxes.rows;
    const double around_y = 2.0 / (stacked ? lanes_y : lanes_y * rows);
    const double around_z = stacked ? 2.0 / rows : 0.0;
    const double around_x = 2.0 * cells_of_a_sector / lanes_x;
    const auto rounds = static_cast<double>(ceiling(boxes.count(), most_chunks));
    return rounds * rows * (1.0 + around_x + around_y + around_z) + 1.0e-9 * rows * boxes.count();
}

}  // namespace

Boxes choose_boxes(const std::array<std::int64_t, 3> &cells, int dimensions) {
    const bool stacked = dimensions == 3;
    Boxes best;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t log2_lanes_x = 0; (1U << log2_lanes_x) <= LANES; ++log2_lanes_x) {
        for (std::int64_t rows = 1; rows <= most_rows; rows *= 2) {
            const Boxes boxes = boxes_of(log2_lanes_x, rows, cells, stacked);
            if (cost(boxes, stacked) < least) {
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
