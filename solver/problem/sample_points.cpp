#include "solver/problem/sample_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace perdure {

namespace {

std::vector<double> centres(const Grid &grid, int axis) {
    std::vector<double> result(static_cast<std::size_t>(grid.cells[axis]));
    for (std::int64_t i = 0; i < grid.cells[axis]; ++i) {
        result[i] = grid.centre(axis, i);
    }
    return result;
}

}  // namespace

std::int64_t SamplePoints::count() const {
    return static_cast<std::int64_t>(coordinates[0].size() * coordinates[1].size() * coordinates[2].size());
}

std::vector<std::int64_t> SamplePoints::shape() const {
    std::vector<std::int64_t> result;
    for (int axis = dimensions - 1; axis >= 0; --axis) {
        if (axis != side_axis) {
            result.push_back(static_cast<std::int64_t>(coordinates[axis].size()));
        }
    }
    return result;
}

std::array<std::int64_t, 3> SamplePoints::indices(std::int64_t index) const {
    const auto nx = static_cast<std::int64_t>(coordinates[0].size());
    const auto ny = static_cast<std::int64_t>(coordinates[1].size());
    return {index % nx, index / nx % ny, index / (nx * ny)};
}

std::string SamplePoints::describe(std::int64_t index) const {
    const auto position = indices(index);
    std::vector<std::string_view> names;
    std::vector<std::int64_t> numbers;
    for (int axis = dimensions - 1; axis >= 0; --axis) {
        if (axis != side_axis) {
            names.push_back(name(static_cast<Axis>(axis)));
            numbers.push_back(position[axis]);
        }
    }
    if (names.empty()) {
        return "its end";  // the side of a line
    }
    return fmt::format("{} [{}] = [{}]", side_axis < 0 ? "cell" : "face", fmt::join(names, ", "),
                       fmt::join(numbers, ", "));
}

std::string SamplePoints::describe_coordinates(std::int64_t index) const {
    const auto position = indices(index);
    std::vector<std::string_view> names;
    std::vector<std::string> numbers;
    for (int axis = 0; axis < dimensions; ++axis) {
        names.push_back(name(static_cast<Axis>(axis)));
        numbers.push_back(fmt::format("{:.6g}", coordinates[axis][position[axis]]));
    }
    return fmt::format("({}) = ({})", fmt::join(names, ", "), fmt::join(numbers, ", "));
}

SamplePoints cell_points(const Grid &grid) {
    return {grid.axes(), -1, {centres(grid, 0), centres(grid, 1), centres(grid, 2)}};
}

SamplePoints face_points(const Grid &grid, int side) {
    const int axis = side / 2;
    SamplePoints points = cell_points(grid);
    points.side_axis = axis;
    const double length = static_cast<double>(grid.cells[axis]) * grid.spacing[axis];
    points.coordinates[axis] = {side % 2 == 0 ? grid.origin[axis] : grid.origin[axis] + length};
    return points;
}

}  // namespace perdure
