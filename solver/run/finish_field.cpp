#include "solver/run/finish_field.hpp"

#include <cmath>
#include <limits>

#include "solver/problem/in_parallel.hpp"

namespace perdure {

template <typename Real>
void finish_field(const Field &field, const ActiveCells &cells, std::vector<Real> &u) {
    if (cells.pinned && !field.in_time) {
        std::vector<double> shift(static_cast<std::size_t>(cells.parts), 0.0);
        std::vector<double> count(shift.size(), 0.0);
        for (std::size_t i = 0; i < u.size(); ++i) {
            if (cells.part[i] >= 0) {
                shift[cells.part[i]] += field.initial[static_cast<std::int64_t>(i)] - u[i];
                count[cells.part[i]] += 1.0;
            }
        }
        for (std::size_t i = 0; i < u.size(); ++i) {
            if (cells.part[i] >= 0) {
                u[i] = static_cast<Real>(u[i] + shift[cells.part[i]] / count[cells.part[i]]);
            }
        }
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

template void finish_field(const Field &, const ActiveCells &, std::vector<float> &);
template void finish_field(const Field &, const ActiveCells &, std::vector<double> &);

}  // namespace perdure
