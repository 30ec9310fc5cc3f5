#include "solver/run/grid_parameters.hpp"

#include <algorithm>
#include <iterator>

#include "solver/run/divider.hpp"

namespace perdure {

void set_grid(const Grid &grid, const std::array<bool, 3> &periodic, const Boxes &boxes,
              run_parameters_t &out) {
    out.cells = static_cast<std::uint32_t>(grid.count());
    out.nx = static_cast<std::uint32_t>(grid.cells[0]);
    out.ny = static_cast<std::uint32_t>(grid.cells[1]);
    out.nz = static_cast<std::uint32_t>(grid.cells[2]);
    out.dimensions = static_cast<std::uint32_t>(grid.dimensions);
    out.periodic_x = periodic[0] ? 1U : 0U;
    out.periodic_y = periodic[1] ? 1U : 0U;
    out.periodic_z = periodic[2] ? 1U : 0U;
    out.row = make_divider(out.nx);
    out.layer = make_divider(out.nx * out.ny);
    set_boxes(boxes, out);
    out.subdomain = {};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out.subdomain.extent[axis] = static_cast<std::uint32_t>(grid.cells[axis]);
    }
    std::fill(std::begin(out.subdomain.neighbours), std::end(out.subdomain.neighbours), NO_NEIGHBOUR);
}

}  // namespace perdure
