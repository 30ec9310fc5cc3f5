#include "solver/run/right_hand_sides.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "solver/problem/in_parallel.hpp"
#include "solver/problem/large_vector.hpp"

namespace perdure {

RightHandSides::RightHandSides(const Grid &grid, const Field &field, const ActiveCells &cells,
                               const Assembler &assembler, std::vector<std::string> factors)
    : grid_(grid), field_(field), cells_(cells), assembler_(assembler), factors_(std::move(factors)) {
    const Samples &f = field.f;
    if (!f.uniform() || f[0] != 0.0) {
        row_of_sources_ = find_row(field.f_time_factor);
        if (!row_of_sources_) {
            factors_.push_back(field.f_time_factor);
            row_of_sources_ = factors_.size();
        }
    }
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        row_of_sides_[side] = row_of_side(side);
    }
    if (cells.pinned && !field.in_time) {
        balance_parts();
    }
}

RightHandSides::Row RightHandSides::find_row(const std::string &factor) const {
    if (factor.empty()) {
        return 0;
    }
    const auto found = std::find(factors_.begin(), factors_.end(), factor);
    return found != factors_.end() ? Row(1 + static_cast<std::size_t>(found - factors_.begin())) : Row();
}

RightHandSides::Row RightHandSides::row_of_side(int side) {
    const std::string &factor = field_.sides[side].time_factor;
    if (const Row known = find_row(factor)) {
        return known;
    }
    const std::size_t next = rows();
    row_of_sides_[side] = next;
    bool any = false;
    for_each_beside(grid_, side, [&](std::int64_t index, const Cell &cell) {
        double sum = 0.0;
        if (!any) {
            add_side(next, side, index, cell, sum);
        }
        any = any || sum != 0.0;
    });
    if (!any) {
        return std::nullopt;
    }
    factors_.push_back(factor);
    return next;
}

void RightHandSides::balance_parts() {
    constexpr std::int64_t at_once = 1 << 19;
    std::vector<double> sum(static_cast<std::size_t>(cells_.parts), 0.0);
    std::vector<double> count(sum.size(), 0.0);
    LargeVector<double> values(static_cast<std::size_t>(std::min(at_once, grid_.count())));
    for (std::int64_t first = 0; first < grid_.count(); first += at_once) {
        const std::int64_t end = std::min(first + at_once, grid_.count());
        in_parallel(end - first, [&](std::int64_t begin, std::int64_t behind) {
            fill_unbalanced(0, first + begin,
                            std::span(values).subspan(static_cast<std::size_t>(begin),
                                                      static_cast<std::size_t>(behind - begin)));
        });
        for (std::int64_t i = first; i < end; ++i) {  // one after the other: the bits depend on the order
            if (const std::int32_t part = cells_.part_of(i); part >= 0) {
                sum[part] += values[i - first];
                count[part] += 1.0;
            }
        }
    }
    for (std::size_t part = 0; part < sum.size(); ++part) {
        too_much_.push_back(sum[part] / count[part]);
    }
}

void RightHandSides::fill(std::size_t row, std::int64_t first, std::span<double> to) const {
    fill_unbalanced(row, first, to);
    if (too_much_.empty() || row != 0) {
        return;
    }
    for (double &value : to) {
        if (const std::int32_t part = cells_.part_of(first++); part >= 0) {
            value -= too_much_[part];
        }
    }
}

void RightHandSides::fill_unbalanced(std::size_t row, std::int64_t first, std::span<double> to) const {
    const std::int64_t end = first + std::ssize(to);
    const double scale = assembler_.scale();
    const bool of_sources = row_of_sources_ == row;
    for (std::int64_t i = first; i < end; ++i) {
        to[i - first] = of_sources && assembler_.active(i) ? 0.0 + scale * field_.f[i] : 0.0;  // no -0
    }
    const auto [nx, ny, nz] = grid_.cells;
    for (std::int64_t line = first / nx; line * nx < end; ++line) {
        const std::int64_t y = line % ny, z = line / ny;
        const bool at_side = y == 0 || y == ny - 1 || (grid_.dimensions == 3 && (z == 0 || z == nz - 1));
        const std::int64_t begin_x = std::max<std::int64_t>(first - line * nx, 0);
        const std::int64_t end_x = std::min(end - line * nx, nx);
        for (std::int64_t x = begin_x; x < end_x; x = at_side || x == nx - 1 ? x + 1 : nx - 1) {
            if (at_side || x == 0 || x == nx - 1) {
                add_sides(row, {x, y, z}, to[line * nx + x - first]);
            }
        }
    }
}

void RightHandSides::add_sides(std::size_t row, const Cell &cell, double &sum) const {
    const std::int64_t index = grid_.index(cell[0], cell[1], cell[2]);
    for (int side = 0; side < 2 * grid_.dimensions; ++side) {
        if (assembler_.at_side(cell, side / 2, side % 2)) {
            add_side(row, side, index, cell, sum);
        }
    }
}

void RightHandSides::add_side(std::size_t row, int number, std::int64_t index, const Cell &cell,
                              double &sum) const {
    if (!assembler_.active(index)) {
        return;
    }
    const auto add = [&sum](double value) {
        if (value != 0.0) {
            sum += value;
        }
    };
    if (row_of_sides_[number] == row) {
        const int axis = number / 2;
        const FaceCondition condition = face_condition(field_.sides[number], side_face(grid_, axis, cell));
        const SideInflow inflow = side_inflow(condition, assembler_.a(index), grid_.spacing[axis]);
        const double weight = assembler_.scale() * assembler_.weight(index, axis, number % 2);
        add(weight * inflow.conductance * inflow.level);
        add(weight * inflow.flux_weight * inflow.flux);
    }
    if (const double jump = field_.jump_beyond(number); row == 0 && jump != 0.0) {
        const CellBalance balance = assembler_.balance(cell);
        add((number % 2 == 0 ? balance.lower : balance.upper)[number / 2] * jump);
    }
}

template <typename Real>
void RightHandSides::fill(std::size_t row, std::int64_t first, Real *to, std::int64_t count) const {
    if constexpr (std::is_same_v<Real, double>) {
        fill(row, first, std::span(to, static_cast<std::size_t>(count)));
    } else {
        constexpr std::int64_t at_once = 1 << 12;
        std::array<double, at_once> values{};
        for (std::int64_t done = 0; done < count; done += at_once) {
            const std::int64_t now = std::min(at_once, count - done);
            fill(row, first + done, std::span(values).first(static_cast<std::size_t>(now)));
            std::transform(values.begin(), values.begin() + now, to + done,
                           [](double value) { return static_cast<Real>(value); });
        }
    }
}

template <typename Real>
RightHandSurvey RightHandSides::survey() const {
    RightHandSurvey of;
    for (std::size_t row = 0; row < rows(); ++row) {
        of.take<Real>(row, grid_.count(),
                      [&](std::int64_t first, std::span<double> to) { fill(row, first, to); });
    }
    return of;
}

template void RightHandSides::fill(std::size_t, std::int64_t, float *, std::int64_t) const;
template void RightHandSides::fill(std::size_t, std::int64_t, double *, std::int64_t) const;
template RightHandSurvey RightHandSides::survey<float>() const;
template RightHandSurvey RightHandSides::survey<double>() const;

}  // namespace perdure
