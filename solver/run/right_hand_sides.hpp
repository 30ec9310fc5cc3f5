// The right-hand sides of a discretised field.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/run/assembler.hpp"
#include "solver/run/right_hand_survey.hpp"

namespace perdure {

/// Right-hand sides in double: sums of sources and side terms that share a time factor. Of each cell its source first, then its sides in
/// their order. They are computed for the cells that are asked for, and not kept. What this is made of must stay.
class RightHandSides {
  public:
    /// Behind row 0, of what is constant, the first rows belong to `factors`.
    RightHandSides(const Grid &grid, const Field &field, const ActiveCells &cells, const Assembler &assembler,
                   std::vector<std::string> factors);

    /// One for each row behind the first.
    [[nodiscard]] const std::vector<std::string> &factors() const { return factors_; }
    [[nodiscard]] std::size_t rows() const { return 1 + factors_.size(); }

    /// Those of the cells from `first` on. For several threads at once.
    void fill(std::size_t row, std::int64_t first, std::span<double> to) const;
    /// The same of `count` cells, rounded to Real.
    template <typename Real>
    void fill(std::size_t row, std::int64_t first, Real *to, std::int64_t count) const;

    /// What they are once they are rounded to Real.
    template <typename Real>
    [[nodiscard]] RightHandSurvey survey() const;

  private:
    using Row = std::optional<std::size_t>;

    [[nodiscard]] Row find_row(const std::string &factor) const;
    /// The row of a side's terms, which is made where none has its factor yet; none: there are no terms.
    Row row_of_side(int side);
    /// As they are where nothing fixes the level of u.
    void balance_parts();
    void fill_unbalanced(std::size_t row, std::int64_t first, std::span<double> to) const;
    void add_sides(std::size_t row, const Cell &cell, double &sum) const;
    void add_side(std::size_t row, int side, std::int64_t index, const Cell &cell, double &sum) const;

    const Grid &grid_;
    const Field &field_;
    const ActiveCells &cells_;
    const Assembler &assembler_;
    std::vector<std::string> factors_;
    Row row_of_sources_;
    std::array<Row, 6> row_of_sides_;
    std::vector<double> too_much_;  // in each cell of a connected part; empty: nothing
};

extern template void RightHandSides::fill(std::size_t, std::int64_t, float *, std::int64_t) const;
extern template void RightHandSides::fill(std::size_t, std::int64_t, double *, std::int64_t) const;
extern template RightHandSurvey RightHandSides::survey<float>() const;
extern template RightHandSurvey RightHandSides::survey<double>() const;

}  // namespace perdure
