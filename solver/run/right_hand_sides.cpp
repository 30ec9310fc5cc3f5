#include "solver/run/right_hand_sides.hpp"

#include <algorithm>
#include <utility>

#include "solver/problem/in_parallel.hpp"

namespace perdure {
namespace {

/// RightHandSides in the making.
class Rows {
  public:
    /// Its first rows, behind that of what is constant, belong to `factors`.
    Rows(std::size_t cells, std::vector<std::string> factors)
        : cells_(cells), values_((1 + factors.size()) * cells, 0.0), factors_(std::move(factors)) {}

    void add(const std::string &factor, std::size_t cell, double value) {
        if (value != 0.0) {
            values_[row(factor) * cells_ + cell] += value;
        }
    }
    void add_sources(const Field &field, const Assembler &assembler) {
        const Samples &f = field.f;
        if (f.uniform() && f[0] == 0.0) {
            return;
        }
        const std::size_t first = row(field.f_time_factor) * cells_;
        double *const out = values_.data() + first;
        in_parallel(static_cast<std::int64_t>(cells_), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                out[i] = assembler.active(i) ? 0.0 + f[i] : 0.0;  // no -0
            }
        });
    }
    [[nodiscard]] std::vector<double> &values() { return values_; }
    [[nodiscard]] const std::vector<std::string> &factors() const { return factors_; }

  private:
    std::size_t row(const std::string &factor) {
        if (factor.empty()) {
            return 0;
        }
        const auto found = std::find(factors_.begin(), factors_.end(), factor);
        if (found != factors_.end()) {
            return 1 + static_cast<std::size_t>(found - factors_.begin());
        }
        factors_.push_back(factor);
        values_.resize((1 + factors_.size()) * cells_, 0.0);
        return factors_.size();
    }

    std::size_t cells_;
    std::vector<double> values_;
    std::vector<std::string> factors_;
};

}  // namespace

RightHandSides right_hand_sides(const Grid &grid, const Field &field, const Assembler &assembler,
                                const std::vector<std::string> &factors) {
    Rows b(static_cast<std::size_t>(grid.count()), factors);
    b.add_sources(field, assembler);
    for (int number = 0; number < 2 * grid.dimensions; ++number) {
        const Side &side = field.sides[number];
        const int axis = number / 2;
        for_each_beside(grid, number, [&](std::int64_t index, const Cell &cell) {
            if (!assembler.active(index)) {
                return;
            }
            const FaceCondition condition = face_condition(side, side_face(grid, axis, cell));
            const SideInflow inflow = side_inflow(condition, assembler.a(index), grid.spacing[axis]);
            const double weight = assembler.weight(index, axis, number % 2);
            b.add(side.time_factor, index, weight * inflow.conductance * inflow.level);
            b.add(side.time_factor, index, weight * inflow.flux_weight * inflow.flux);
        });
    }
    return {std::move(b.values()), b.factors()};
}

void balance_parts(const ActiveCells &cells, std::vector<double> &b) {
    std::vector<double> sum(static_cast<std::size_t>(cells.parts), 0.0);
    std::vector<double> count(sum.size(), 0.0);
    for (std::size_t i = 0; i < cells.part.size(); ++i) {
        if (cells.part[i] >= 0) {
            sum[cells.part[i]] += b[i];
            count[cells.part[i]] += 1.0;
        }
    }
    for (std::size_t i = 0; i < cells.part.size(); ++i) {
        if (cells.part[i] >= 0) {
            b[i] -= sum[cells.part[i]] / count[cells.part[i]];
        }
    }
}

}  // namespace perdure
