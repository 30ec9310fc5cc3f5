#include "solver/reference/compare_column.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/output/cell_flux.hpp"
#include "solver/output/effective_properties.hpp"

namespace perdure {

double difference_of_column(const Grid &grid, const Field &field, const FieldValues &u,
                            const EffectiveProperties &found, bool periodic) {
    const FieldValues flux = cell_flux(grid, field, u);
    std::array<double, 3> sums{};
    for (std::int64_t i = 0; i < 3 * grid.count(); ++i) {
        const double value = value_at(flux, i);
        sums[static_cast<std::size_t>(i % 3)] += std::isnan(value) ? 0.0 : value;
    }
    const double length = static_cast<double>(grid.cells[found.axis]) * grid.spacing[found.axis];
    const double scale = length / *fall_along(field, found.axis) / static_cast<double>(grid.count());
    double largest = 0.0;
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        const double entry = axis == found.axis ? found.coefficient : found.mean_flux[axis];
        if (axis == found.axis || periodic) {
            largest = std::max(largest, std::abs(scale * sums[axis] - entry));
        }
    }
    return largest / std::abs(found.coefficient);
}

}  // namespace perdure
