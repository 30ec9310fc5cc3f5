#include "solver/systems/watched_faces.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solver/case_file/config.hpp"

namespace perdure::systems {

std::int64_t cells_below(const FacesConfig &faces, const Grid &grid) {
    const std::int64_t cells = grid.cells[faces.axis];
    if (!faces.plane) {
        return faces.upper ? cells : 0;
    }
    const double below = (*faces.plane - grid.origin[faces.axis]) / grid.spacing[faces.axis];
    return static_cast<std::int64_t>(std::llround(std::clamp(below, -1.0, static_cast<double>(cells) + 1.0)));
}

std::string why_no_faces(const FacesConfig &faces, const Grid &grid) {
    const std::int64_t cells = grid.cells[faces.axis], below = cells_below(faces, grid);
    if (!faces.plane || (below > 0 && below < cells)) {
        return {};
    }
    const double low = grid.origin[faces.axis];
    return fmt::format(
        "the plane {0} = {1:.6g} does not lie between two cells; the grid extends from {0} = {2:.6g} to "
        "{3:.6g}, whose sides are {0}- and {0}+",
        "xyz"[faces.axis], *faces.plane, low, low + static_cast<double>(cells) * grid.spacing[faces.axis]);
}

int is_at_faces(const FacesConfig &faces, const Grid &grid, TermBuilder &build) {
    const double h = grid.spacing[faces.axis], first = grid.origin[faces.axis];
    const std::int64_t cell = cells_below(faces, grid) - (faces.upper ? 1 : 0);
    const double low = first + static_cast<double>(cell) * h, high = low + h;
    const int x = build.leaf(Operation::COORDINATE, faces.axis);
    const int above = build.apply(Operation::LESS, build.number(low), x);
    return build.apply(Operation::AND, above, build.apply(Operation::LESS, x, build.number(high)));
}

double area_of_face(const FacesConfig &faces, const Grid &grid) {
    double area = 1.0;
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        area *= axis == faces.axis ? 1.0 : grid.spacing[axis];
    }
    return area;
}

std::string faces_in_words(const FacesConfig &faces) {
    return faces.plane ? fmt::format("{} = {:.6g}", "xyz"[faces.axis], *faces.plane)
                       : side_names.at(2 * faces.axis + (faces.upper ? 1 : 0));
}

}  // namespace perdure::systems
