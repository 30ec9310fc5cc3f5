#include "example_system.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/cell_random.h"

namespace perdure::systems_test {

SystemConfig config_of(const Equations &equations, const Parameters &parameters, const Equations &parts) {
    SystemConfig config;
    config.parameters = parameters;
    int line = 1;
    for (const auto &[name, text] : parts) {
        config.parts.push_back({name, {text, {"case.yaml", line++, 8}}});
    }
    for (const auto &[name, text] : equations) {
        SystemField &field = config.fields.emplace_back();
        field.name = name;
        field.rate = {text, {"case.yaml", line++, 8}};
        for (SystemSide &side : field.sides) {
            side.kind = SideKind::periodic;
        }
    }
    return config;
}

SystemConfig gray_scott() {
    return config_of({{"u", "Du*lap(u) - r + F*(1 - u)"}, {"v", "Dv*lap(v) + r - (F + k)*v"}},
                     {{"Du", 2.0e-5}, {"Dv", 1.0e-5}, {"F", 0.04}, {"k", 0.06}}, {{"r", "u*v^2"}});
}

Grid unit_grid(int dimensions, std::int64_t cells) {
    Grid grid;
    grid.dimensions = dimensions;
    for (int axis = 0; axis < dimensions; ++axis) {
        grid.cells[axis] = cells;
        grid.spacing[axis] = 1.0 / static_cast<double>(cells);
    }
    return grid;
}

std::vector<double> sample(const Grid &grid, const Function &function) {
    std::vector<double> values;
    for (std::int64_t z = 0; z < grid.cells[2]; ++z) {
        for (std::int64_t y = 0; y < grid.cells[1]; ++y) {
            for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
                values.push_back(function(grid.centre(0, x), grid.centre(1, y), grid.centre(2, z)));
            }
        }
    }
    return values;
}

std::vector<double> rates(const systems::System &system, const Grid &grid,
                          const std::vector<std::vector<double>> &fields, int field,
                          const std::vector<std::vector<double>> &coefficients, double time) {
    systems::CellContext context;
    context.grid = &grid;
    context.time = time;
    for (const auto &[name, value] : system.parameters) {
        context.parameters.push_back(value);
    }
    for (const std::vector<double> &values : fields) {
        context.fields.push_back(values.data());
    }
    for (const std::vector<double> &values : coefficients) {
        context.coefficients.push_back(values.data());
    }
    return systems::evaluate_in_all_cells(system.rates, system.rate_of[field], context);
}

double largest_error(const systems::System &system, const Grid &grid,
                     const std::vector<std::vector<double>> &fields, const Function &expected, int margin) {
    const std::vector<double> computed = rates(system, grid, fields);
    const std::vector<double> exact = sample(grid, expected);
    double largest = 0.0;
    for (std::int64_t cell = 0; cell < grid.count(); ++cell) {
        const std::array<std::int64_t, 3> place{cell % grid.cells[0], cell / grid.cells[0] % grid.cells[1],
                                                cell / (grid.cells[0] * grid.cells[1])};
        bool inside = true;
        for (int axis = 0; axis < grid.dimensions; ++axis) {
            inside = inside && place[axis] >= margin && place[axis] < grid.cells[axis] - margin;
        }
        if (inside) {
            largest = std::max(largest, std::fabs(computed[cell] - exact[cell]));
        }
    }
    return largest;
}

std::vector<double> noise(std::int64_t count, std::uint32_t seed) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(2.0 * cell_random_double(seed, static_cast<std::uint64_t>(i)) - 1.0);
    }
    return values;
}

}  // namespace perdure::systems_test
