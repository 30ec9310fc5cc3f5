// Systems made of texts, for tests.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "solver/reference/step_system.hpp"

namespace perdure::system_test {

inline constexpr double pi = std::numbers::pi;
using Values = std::vector<double>;
using Function = std::function<double(double x, double y, double z)>;

inline const reference::Tableau euler{{{}}, {1.0}, {0.0}};
inline const reference::Tableau rk4{
    {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0.0, 0.5, 0.5, 1.0}};

/// A box of that length (the unit square or cube by default) from the origin.
inline Grid make_grid(const std::vector<std::int64_t> &cells, const Values &length = {1.0, 1.0, 1.0}) {
    Grid grid;
    grid.dimensions = static_cast<int>(cells.size());
    for (std::size_t axis = 0; axis < cells.size(); ++axis) {
        grid.cells[axis] = cells[axis];
        grid.spacing[axis] = length[axis] / static_cast<double>(cells[axis]);
    }
    return grid;
}

inline Values sample(const Grid &grid, const Function &function) {
    Values values(static_cast<std::size_t>(grid.count()));
    for (std::int64_t z = 0, i = 0; z < grid.cells[2]; ++z) {
        for (std::int64_t y = 0; y < grid.cells[1]; ++y) {
            for (std::int64_t x = 0; x < grid.cells[0]; ++x, ++i) {
                values[i] = function(grid.centre(0, x), grid.centre(1, y), grid.centre(2, z));
            }
        }
    }
    return values;
}

inline SystemSide periodic() {
    return {SideKind::periodic, {"0", {}}, {"0", {}}};
}
inline SystemSide value(const std::string &text) {
    return {SideKind::value, {text, {}}, {"0", {}}};
}
inline SystemSide flux(const std::string &text) {
    return {SideKind::flux, {text, {}}, {"0", {}}};
}
inline SystemSide exchange(const std::string &coefficient, const std::string &text) {
    return {SideKind::exchange, {text, {}}, {coefficient, {}}};
}

/// Adds d name / dt = rate, with the same condition at all sides.
inline SystemField &add_field(SystemConfig &system, const std::string &name, const std::string &rate,
                              const SystemSide &side = periodic()) {
    SystemField &field = system.fields.emplace_back();
    field.name = name;
    field.rate.text = rate;
    field.sides.fill(side);
    return field;
}

inline void add_part(SystemConfig &system, const std::string &name, const std::string &text) {
    system.parts.emplace_back(name, FormulaText{text, {}});
}

inline double largest_difference(const Values &a, const Values &b) {
    double largest = a.size() == b.size() ? 0.0 : INFINITY;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        const double difference = std::abs(a[i] - b[i]);
        largest = difference <= largest ? largest : difference;  // NaN stays
    }
    return largest;
}

}  // namespace perdure::system_test
