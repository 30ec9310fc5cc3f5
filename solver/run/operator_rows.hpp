// Goes over the rows of an operator: where its entries are computed, and what is known of all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "solver/run/assembler.hpp"

namespace perdure {

/// function(index, cell) of the rows [begin, end).
template <typename Function>
void for_each_cell(const Grid &grid, std::int64_t begin, std::int64_t end, Function function) {
    std::int64_t index = begin * grid.cells[0];
    for (std::int64_t row = begin; row < end; ++row) {
        Cell cell{0, row % grid.cells[1], row / grid.cells[1]};
        for (; cell[0] < grid.cells[0]; ++cell[0]) {
            function(index++, cell);
        }
    }
}

/// What the operator has for a cell, in the precision of the run: Discretisation.
template <typename Real>
struct CellEntries {
    Real diagonal;
    Real inverse_diagonal;
    std::array<Real, 3> face;
    bool takes_part;

    explicit CellEntries(const CellBalance &balance)
        : diagonal(static_cast<Real>(balance.diagonal)),
          inverse_diagonal(balance.size > 0.0 ? static_cast<Real>(1.0 / balance.size) : Real(0)),
          face{static_cast<Real>(balance.lower[0]), static_cast<Real>(balance.lower[1]),
               static_cast<Real>(balance.lower[2])},
          takes_part(balance.size > 0.0) {}
};

/// Of magnitudes above 0.
struct Extremes {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0.0;

    void take(double magnitude) {
        if (magnitude > 0.0) {
            smallest = std::min(smallest, magnitude);
            largest = std::max(largest, magnitude);
        }
    }
    void take(const Extremes &others) {
        smallest = std::min(smallest, others.smallest);
        largest = std::max(largest, others.largest);
    }
};

/// What the host knows of entries that it does not keep.
struct EntriesSurvey {
    bool finite = true;
    Extremes conductances;                                              // of the diagonal and the faces
    double smallest_inverse = std::numeric_limits<double>::infinity();  // of the diagonal, above 0

    /// Where tables stand for the diagonal and the faces.
    template <typename Real>
    void take_inverse(const CellEntries<Real> &entries) {
        finite = finite && std::isfinite(entries.inverse_diagonal);
        if (entries.inverse_diagonal > Real(0)) {
            smallest_inverse = std::min(smallest_inverse, static_cast<double>(entries.inverse_diagonal));
        }
    }
    template <typename Real>
    void take(const CellEntries<Real> &entries, int dimensions) {
        take_inverse(entries);
        finite = finite && std::isfinite(entries.diagonal);
        conductances.take(static_cast<double>(entries.diagonal));
        for (int axis = 0; axis < dimensions; ++axis) {
            finite = finite && std::isfinite(entries.face[axis]);
            conductances.take(static_cast<double>(entries.face[axis]));
        }
    }
    void take(const EntriesSurvey &others) {
        finite = finite && others.finite;
        conductances.take(others.conductances);
        smallest_inverse = std::min(smallest_inverse, others.smallest_inverse);
    }
};

}  // namespace perdure
