// Which cells reach from face to face, by flooding: shares nothing with kernels/percolation.h.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/problem/material_image.hpp"
#include "solver/problem/problem.hpp"

namespace perdure::reference {

/// Along one axis.
struct Percolation {
    std::vector<bool> material;        // each by itself
    std::int64_t connected_cells = 0;  // conducting cells in parts that reach both faces, or without end
    std::vector<bool>
        reaches_a_face;  // per cell: conducting, and its part reaches a face; in a periodic cell: conducting
};

/// In a periodic cell a part reaches without end if the flood comes to one of its cells from two different periods of the axis.
Percolation flood(const Grid &grid, const MaterialImage &image, int axis, ImageSides sides);

}  // namespace perdure::reference
