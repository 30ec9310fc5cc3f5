// Boxes of cells that a group works on at a time (kernels/grid.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/parameters.h"

namespace perdure {

/// A row of a box is LANES cells, 2^log2_lanes_x of them along x and the others along y; rows lie side by side along y
/// in 2D, along z in 3D. `along`: boxes that cover the grid, x, y, z.
struct Boxes {
    std::uint32_t log2_lanes_x = 0;
    std::uint32_t rows = 1;
    std::array<std::uint32_t, 3> along{1, 1, 1};
    bool stacked = false;  // in 3D

    [[nodiscard]] std::uint32_t count() const { return along[0] * along[1] * along[2]; }
};

/// The boxes that need the fewest loads: few lanes beyond the grid, little surface, equal work for 528 groups - four on
/// each of the 132 units of an H100. A function of the grid alone. `cells`: x, y, z.
Boxes choose_boxes(const std::array<std::int64_t, 3> &cells, int dimensions);

/// Into the parameters that kernels/grid.h shares the cells out by.
void set_boxes(const Boxes &boxes, run_parameters_t &out);

/// Devices or processes that each have a part of the grid if they share it.
int most_devices(const Boxes &boxes);

/// Why there are no more of them. `cells`: of the grid.
std::string describe_parts(const Boxes &boxes, const std::array<std::int64_t, 3> &cells, int dimensions);

/// Where the parts of devices that share a grid begin, but for the first, as parts of its last axis: between sections.
std::vector<double> cuts_between(int devices, const Boxes &boxes, const std::array<std::int64_t, 3> &cells);

/// At most 528, of a grid of 8 million cells or more 2112; each of equally many boxes but for the last ones.
std::uint32_t chunks_of(const Boxes &boxes);

}  // namespace perdure
