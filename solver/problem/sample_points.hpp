// The points at which a field or a side is sampled.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/problem/problem.hpp"

namespace perdure {

/// Centres of all cells, or of all faces of a side, ordered as `Samples`.
struct SamplePoints {
    int dimensions = 2;
    int side_axis = -1;                              // axis normal to the side; -1: cell centres
    std::array<std::vector<double>, 3> coordinates;  // x, y, z; one entry along the axis of a side

    bool operator==(const SamplePoints &) const = default;

    [[nodiscard]] std::int64_t count() const;

    /// Shape of a dataset that holds one value per point, slowest axis first, without the axis of a side.
    [[nodiscard]] std::vector<std::int64_t> shape() const;

    /// Position of point `index` along x, y, z.
    [[nodiscard]] std::array<std::int64_t, 3> indices(std::int64_t index) const;

    /// "cell [z, y, x] = [1, 0, 4]", or "face [z, x] = [1, 4]".
    [[nodiscard]] std::string describe(std::int64_t index) const;

    /// "(x, y, z) = (0.5, 1.5, 2)".
    [[nodiscard]] std::string describe_coordinates(std::int64_t index) const;
};

SamplePoints cell_points(const Grid &grid);

/// `side` counts x-, x+, y-, y+, z-, z+; the side's own coordinate is the side of the box.
SamplePoints face_points(const Grid &grid, int side);

}  // namespace perdure
