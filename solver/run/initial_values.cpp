#include "solver/run/initial_values.hpp"

#include <algorithm>

#include "solver/problem/in_parallel.hpp"

namespace perdure {
namespace {

template <typename Real>
std::vector<Real> values_of_field(const Field &field, const ActiveCells &cells, std::size_t count) {
    std::vector<Real> values;
    if (field.initial.uniform() && field.initial[0] == 0.0) {
        return values;
    }
    values.resize(count);
    in_parallel(static_cast<std::int64_t>(count), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const bool active = cells.active.empty() || cells.active[i] != 0;
            values[i] = active ? static_cast<Real>(field.initial[i]) : Real(0);
        }
    });
    return values;
}

}  // namespace

template <typename Real>
std::vector<std::vector<Real>> initial_values(std::span<const Field> fields,
                                              std::span<const ActiveCells> cells, std::size_t count) {
    std::vector<std::vector<Real>> values;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        values.push_back(values_of_field<Real>(fields[i], cells[i], count));
    }
    return values;
}

template <typename Real>
void join(std::vector<std::vector<Real>> &values, std::size_t count) {
    const bool zeros = std::all_of(values.begin(), values.end(),
                                   [](const std::vector<Real> &field) { return field.empty(); });
    for (std::size_t i = 0; i < values.size() && !zeros; ++i) {
        values[i].resize(count);  // zeros, where a field is empty
        if (i > 0) {
            values[0].insert(values[0].end(), values[i].begin(), values[i].end());
            values[i] = {};
        }
    }
}

template std::vector<std::vector<float>> initial_values(std::span<const Field>, std::span<const ActiveCells>,
                                                        std::size_t);
template std::vector<std::vector<double>> initial_values(std::span<const Field>, std::span<const ActiveCells>,
                                                         std::size_t);
template void join(std::vector<std::vector<float>> &, std::size_t);
template void join(std::vector<std::vector<double>> &, std::size_t);

}  // namespace perdure
