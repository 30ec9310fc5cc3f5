// The initial values of the fields of a run, and the norm of its right-hand side.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/large_vector.hpp"

namespace perdure {

/// In cells that are left out 0, or where `left_out` says so what they have in the case; empty: zeros everywhere, which are made where they are
/// needed.
template <typename Real>
LargeVector<Real> initial_values(const Field &field, const ActiveCells &cells, std::size_t count,
                                 bool left_out) {
    LargeVector<Real> values;
    if (field.initial.uniform() && field.initial[0] == 0.0) {
        return values;
    }
    values.resize(count);
    in_parallel(static_cast<std::int64_t>(count), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            values[i] = left_out || cells.is_active(i) ? static_cast<Real>(field.initial[i]) : Real(0);
        }
    });
    return values;
}

/// Of the first `cells` values. Sums are those of blocks, one after the other: their bits, which tolerances have, are those of any number of
/// threads.
template <typename Real>
double norm_of(const LargeVector<Real> &values, std::size_t cells, Norm norm) {
    constexpr std::size_t block = 1 << 16;
    struct OfBlock {
        double sum = 0.0, largest = 0.0;
    };
    std::vector<OfBlock> blocks((cells + block - 1) / block);
    in_parallel(std::ssize(blocks), static_cast<std::int64_t>(cells),
                [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t k = begin; k < end; ++k) {
                        const std::size_t first = static_cast<std::size_t>(k) * block;
                        OfBlock of;
                        for (std::size_t i = first; i < std::min(first + block, cells); ++i) {
                            const double value = values[i];
                            of.sum += value * value;
                            of.largest = std::max(of.largest, std::abs(value));
                        }
                        blocks[static_cast<std::size_t>(k)] = of;
                    }
                });
    OfBlock all;
    for (const OfBlock &of : blocks) {
        all.sum += of.sum;
        all.largest = std::max(all.largest, of.largest);
    }
    return norm == Norm::max ? all.largest : std::sqrt(all.sum);
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
