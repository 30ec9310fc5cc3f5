#include "solver/problem/periodic_parts.hpp"

#include <numeric>

namespace perdure {

PeriodicParts::PeriodicParts(const Grid &grid, const MaterialImage &image, bool by_material)
    : runs_(grid, image, by_material) {
    const auto boxes = static_cast<std::size_t>(runs_.parts());
    parent_.resize(boxes);
    std::iota(parent_.begin(), parent_.end(), 0);
    above_.assign(boxes, {});
    endless_.assign(boxes, 0);
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        join_across(grid, axis);
    }
    number_parts();
}

PeriodicParts::Place PeriodicParts::find(std::int32_t part) {
    Place place{part, {}};
    while (parent_[place.root] != place.root) {
        const std::int32_t parent = parent_[place.root];
        Periods &above = above_[place.root];
        for (std::size_t axis = 0; axis < 3; ++axis) {  // halves the path
            above[axis] += above_[parent][axis];
            place.above[axis] += above[axis];
        }
        parent_[place.root] = parent_[parent];
        place.root = parent_[place.root];
    }
    return place;
}

/// Cells at the upper face with their neighbours at the lower face, one period further.
void PeriodicParts::join_across(const Grid &grid, int axis) {
    std::array<std::int64_t, 3> faces = grid.cells;
    faces[axis] = 1;
    const std::int64_t last = grid.cells[axis] - 1;
    std::array<std::int64_t, 3> cell{};
    for (cell[2] = 0; cell[2] < faces[2]; ++cell[2]) {
        for (cell[1] = 0; cell[1] < faces[1]; ++cell[1]) {
            for (cell[0] = 0; cell[0] < faces[0]; ++cell[0]) {
                std::array<std::int64_t, 3> upper = cell;
                upper[axis] = last;
                const RunOfCell here = runs_.run_of(upper[0], upper[1], upper[2]);
                const RunOfCell next = runs_.run_of(cell[0], cell[1], cell[2]);
                if (here.part >= 0 && next.part >= 0 && here.kind == next.kind) {
                    join(here.part, next.part, axis);
                }
            }
        }
    }
}

void PeriodicParts::join(std::int32_t part, std::int32_t next, int axis) {
    const Place lower = find(part), upper = find(next);
    Periods difference = lower.above;
    difference[axis] += 1;
    std::uint8_t differs = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        difference[k] -= upper.above[k];
        differs |= static_cast<std::uint8_t>(difference[k] != 0 ? 1U << k : 0U);
    }
    if (lower.root == upper.root) {
        endless_[lower.root] |= differs;
        return;
    }
    parent_[upper.root] = lower.root;
    above_[upper.root] = difference;
    endless_[lower.root] |= endless_[upper.root];
}

void PeriodicParts::number_parts() {
    std::vector<std::int32_t> number(parent_.size(), -1);
    part_.resize(parent_.size());
    std::vector<std::uint8_t> endless(parent_.size());
    for (std::size_t box = 0; box < parent_.size(); ++box) {
        const std::int32_t root = find(static_cast<std::int32_t>(box)).root;
        number[root] = number[root] < 0 ? parts_++ : number[root];
        part_[box] = number[root];
        endless[box] = endless_[root];
    }
    endless_ = std::move(endless);
}

}  // namespace perdure
