// The initial values of the fields of a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/large_vector.hpp"

namespace perdure {

/// Whether they are zeros everywhere, which are made where they are needed.
inline bool begins_with_zeros(const Field &field) {
    return field.initial.uniform() && field.initial[0] == 0.0;
}

/// In cells that are left out 0, or where `left_out` says so what they have in the case.
template <typename Real>
Real initial_value(const Field &field, const ActiveCells &cells, std::int64_t cell, bool left_out) {
    return left_out || cells.is_active(cell) ? static_cast<Real>(field.initial[cell]) : Real(0);
}

/// Of all cells; empty where they are zeros.
template <typename Real>
LargeVector<Real> initial_values(const Field &field, const ActiveCells &cells, std::size_t count,
                                 bool left_out) {
    LargeVector<Real> values;
    if (begins_with_zeros(field)) {
        return values;
    }
    values.resize(count);
    in_parallel(static_cast<std::int64_t>(count), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            values[i] = initial_value<Real>(field, cells, i, left_out);
        }
    });
    return values;
}

/// The values of all fields into the first, one behind the other; the others become empty. Zeros everywhere stay empty.
template <typename Real>
void join(std::vector<LargeVector<Real>> &values, std::size_t count) {
    const bool zeros = std::all_of(values.begin(), values.end(),
                                   [](const LargeVector<Real> &field) { return field.empty(); });
    if (zeros || values.size() < 2) {
        return;
    }
    LargeVector<Real> all(values.size() * count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const LargeVector<Real> field = std::move(values[i]);
        in_parallel(static_cast<std::int64_t>(count), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t k = begin; k < end; ++k) {
                all[i * count + k] = field.empty() ? Real(0) : field[k];
            }
        });
        values[i] = {};
    }
    values[0] = std::move(all);
}

}  // namespace perdure
