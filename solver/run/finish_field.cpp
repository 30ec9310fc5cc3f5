#include "solver/run/finish_field.hpp"

#include <cmath>
#include <limits>

#include "solver/problem/in_parallel.hpp"

namespace perdure {

template <typename Real>
void finish_field(const Field &field, const ActiveCells &cells, LargeVector<Real> &u) {
    if (cells.pinned && !field.in_time) {
        std::vector<double> shift(static_cast<std::size_t>(cells.parts), 0.0);
        std::vector<double> count(shift.size(), 0.0);
        const auto size = static_cast<std::int64_t>(u.size());
        for (std::int64_t i = 0; i < size; ++i) {  // one after the other: the bits depend on the order
            if (const std::int32_t part = cells.part_of(i); part >= 0) {
                shift[part] += field.initial[i] - u[i];
                count[part] += 1.0;
            }
        }
        in_parallel(size, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                if (const std::int32_t part = cells.part_of(i); part >= 0) {
                    u[i] = static_cast<Real>(u[i] + shift[part] / count[part]);
                }
            }
        });
    }
    in_parallel(static_cast<std::int64_t>(cells.active.size()), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            if (cells.active[i] == 0) {
                u[i] = std::numeric_limits<Real>::quiet_NaN();
            }
        }
    });
}

std::string field_not_finite(const Solution &solution, std::int64_t cell) {
    for (const FieldResult &field : solution.fields) {
        if (solution.fields.size() > 1 && !std::isfinite(value_at(field.values, cell))) {
            return field.name;
        }
    }
    return "";
}

LargestValue largest_value(const Solution &solution) {
    LargestValue largest;
    for (const FieldResult &field : solution.fields) {
        const auto count = std::visit(
            [](const auto &values) { return static_cast<std::int64_t>(values.size()); }, field.values);
        for (std::int64_t i = 0; i < count && std::isfinite(largest.value); ++i) {
            const double value = std::abs(value_at(field.values, i));
            if (!(value <= largest.value)) {
                largest = {value, i, field.name};
            }
        }
    }
    return largest;
}

template void finish_field(const Field &, const ActiveCells &, LargeVector<float> &);
template void finish_field(const Field &, const ActiveCells &, LargeVector<double> &);

}  // namespace perdure
