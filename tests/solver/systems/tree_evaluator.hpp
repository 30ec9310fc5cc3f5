// Formulas evaluated straight from their trees, cell by cell, without a graph: slow, and with nothing in common with lowering.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "solver/formulas/tree.hpp"
#include "solver/problem/problem.hpp"

namespace perdure::systems_test {

/// On a periodic grid. Names are fields, constants (parameters) or coordinates.
struct TreeEvaluator {
    const Grid *grid = nullptr;
    std::map<std::string, const std::vector<double> *> fields;
    std::map<std::string, double> constants;
    std::string field;           // whose rate it is, for conserve()
    mutable double largest = 0;  // magnitude met on the way

    using Cell = std::array<std::int64_t, 3>;
    double scalar(const formulas::Node &node, const Cell &cell) const;
    std::vector<double> vector(const formulas::Node &node, const Cell &cell) const;

  private:
    double value(const formulas::Node &node, const Cell &cell) const;
    double call(const formulas::Node &node, const Cell &cell) const;
    double divergence(const formulas::Node &node, const Cell &cell) const;
    double conserve(const formulas::Node &node, const Cell &cell) const;
    double field_value(const std::vector<double> &values, const Cell &cell) const;
    Cell neighbour(Cell cell, int axis, int step) const;

    // The face that minmod looks at: upper (1) or lower (-1) along the axis; direction 0: none.
    mutable int face_axis = 0, direction = 0;
};

}  // namespace perdure::systems_test
