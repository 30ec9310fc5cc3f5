#include "solver/run/right_hand_sides.hpp"

#include <algorithm>
#include <utility>

#include "solver/problem/in_parallel.hpp"

namespace perdure {

RightHandSides::RightHandSides(const Grid &grid, const Field &field, const Assembler &assembler,
                               std::vector<std::string> factors)
    : grid_(grid), field_(field), assembler_(assembler), factors_(std::move(factors)) {
    const Samples &f = field.f;
    const bool has_sources = !f.uniform() || f[0] != 0.0;
    if (has_sources && !find_row(field.f_time_factor)) {
        factors_.push_back(field.f_time_factor);
    }
    const double scale = assembler.scale();
    const std::int64_t cells = grid.count();
    values_.resize((1 + factors_.size()) * static_cast<std::size_t>(cells));
    for (std::size_t row = 0; row < 1 + factors_.size(); ++row) {
        double *const out = values_.data() + static_cast<std::int64_t>(row) * cells;
        const bool of_sources = has_sources && row == *find_row(field.f_time_factor);
        in_parallel(cells, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                out[i] = of_sources && assembler.active(i) ? 0.0 + scale * f[i] : 0.0;  // no -0
            }
        });
    }
}

void RightHandSides::add_side(int number) {
    const auto add_faces = [&](std::int64_t begin, std::int64_t end) {
        for_each_beside(grid_, number, begin, end,
                        [&](std::int64_t index, const Cell &cell) { add_cell(number, index, cell); });
    };
    const std::int64_t faces = face_count(grid_, number);
    if (find_row(field_.sides[number].time_factor)) {
        in_parallel(faces, add_faces);
    } else {
        add_faces(0, faces);  // the first value that is not 0 makes a row
    }
}

void RightHandSides::add_cell(int number, std::int64_t index, const Cell &cell) {
    if (!assembler_.active(index)) {
        return;
    }
    const int axis = number / 2;
    const Side &side = field_.sides[number];
    const FaceCondition condition = face_condition(side, side_face(grid_, axis, cell));
    const SideInflow inflow = side_inflow(condition, assembler_.a(index), grid_.spacing[axis]);
    const double weight = assembler_.scale() * assembler_.weight(index, axis, number % 2);
    add(side.time_factor, index, weight * inflow.conductance * inflow.level);
    add(side.time_factor, index, weight * inflow.flux_weight * inflow.flux);
    if (const double jump = field_.jump_beyond(number); jump != 0.0) {
        const CellBalance balance = assembler_.balance(cell);
        add("", index, (number % 2 == 0 ? balance.lower : balance.upper)[axis] * jump);
    }
}

void RightHandSides::add(const std::string &factor, std::int64_t cell, double value) {
    if (value == 0.0) {
        return;
    }
    const auto cells = static_cast<std::size_t>(grid_.count());
    if (!find_row(factor)) {
        factors_.push_back(factor);
        values_.resize(values_.size() + cells, 0.0);
    }
    values_[*find_row(factor) * cells + static_cast<std::size_t>(cell)] += value;
}

std::optional<std::size_t> RightHandSides::find_row(const std::string &factor) const {
    if (factor.empty()) {
        return 0;
    }
    const auto found = std::find(factors_.begin(), factors_.end(), factor);
    return found != factors_.end() ? std::optional(1 + static_cast<std::size_t>(found - factors_.begin()))
                                   : std::nullopt;
}

}  // namespace perdure
