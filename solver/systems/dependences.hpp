// What the rates of a cell depend on.
#pragma once

#include <array>
#include <vector>

#include "solver/systems/system.hpp"

namespace perdure::systems {

/// d rate / d a FIELD that it reads, at an offset from the cell.
struct Dependence {
    int rate = 0, field = 0;
    std::array<int, 3> offset{0, 0, 0};
    double slope = 0.0;
};

/// Of all rates in the cell of the context. What lies beyond a side that is not periodic depends on cells inside by what holds there,
/// the formula of the side included, as far as it is linear about the values.
std::vector<Dependence> dependences(const System &system, const CellContext &cell);

/// The rates themselves, with what holds at sides as far as they are linear in what lies beyond.
std::vector<double> rates_in_cell(const System &system, const CellContext &cell);

/// The dependences without sides where all cells have the values of this one: formulas depend on neighbours only as diffusion and transport do, not
/// because these have other values.
std::vector<Dependence> dependences_where_uniform(const System &system, CellContext cell);

/// Of the sides whose formulas take part in that, a few cells beside each.
std::vector<std::int64_t> cells_beside_sides(const System &system, const Grid &grid);

}  // namespace perdure::systems
