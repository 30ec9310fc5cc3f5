#include "solver/output/flow_network.hpp"

#include <variant>

namespace perdure {
namespace {

std::vector<std::uint8_t> borders_of(const Grid &grid) {
    std::vector<std::uint8_t> borders(static_cast<std::size_t>(grid.count()));
    std::size_t cell = 0;
    const auto at = [&](int axis, std::int64_t i) {
        if (axis >= grid.dimensions) {
            return 0U;
        }
        return (i == 0 ? 1U << (2 * axis) : 0U) | (i == grid.cells[axis] - 1 ? 1U << (2 * axis + 1) : 0U);
    };
    for (std::int64_t z = 0; z < grid.cells[2]; ++z) {
        for (std::int64_t y = 0; y < grid.cells[1]; ++y) {
            const unsigned of_row = at(1, y) | at(2, z);
            for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
                borders[cell++] = static_cast<std::uint8_t>(of_row | at(0, x));
            }
        }
    }
    return borders;
}

}  // namespace

Conductances::Conductances(const Grid &grid, const Field &field) : grid_(grid), field_(field) {
    const MaterialImage &image = field.image;
    const std::size_t pairs = image.materials.size() * image.materials.size();
    if (!field.is_of_image() || pairs > image.of_cell.size()) {
        return;  // a table would take longer to make than to do without
    }
    labels_ = image.of_cell.data();
    materials_ = image.materials.size();
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        for (const Material &one : image.materials) {
            for (const Material &other : image.materials) {
                tables_[axis].push_back(computed(axis, one.along(axis), other.along(axis)));
                ranks_[axis].push_back(rank_of(tables_[axis].back()));
            }
        }
    }
}

FlowNetwork::FlowNetwork(const Grid &grid, const Field &field, int axis, const FieldValues &u)
    : grid_(grid), field_(field), axis_(axis), borders_(borders_of(grid)), conductances_(grid, field) {
    if (const auto *const doubles = std::get_if<LargeVector<double>>(&u)) {
        u_ = *doubles;
    } else {
        const auto &floats = std::get<LargeVector<float>>(u);
        converted_.assign(floats.begin(), floats.end());
        u_ = converted_;
    }
}

}  // namespace perdure
