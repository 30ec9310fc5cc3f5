// The right-hand sides of a discretised field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/problem/large_vector.hpp"
#include "solver/run/assembler.hpp"

namespace perdure {

/// Right-hand sides in double: sums of sources and side terms that share a time factor. Of each cell its source first, then its sides in
/// the order in which they are added. What it is made of must stay.
class RightHandSides {
  public:
    /// The sources. Behind the row of what is constant the first rows belong to `factors`.
    RightHandSides(const Grid &grid, const Field &field, const Assembler &assembler,
                   std::vector<std::string> factors);

    void add_side(int number);

    /// [1 + factors().size()][cells]
    [[nodiscard]] LargeVector<double> &values() { return values_; }
    [[nodiscard]] const std::vector<std::string> &factors() const { return factors_; }

  private:
    void add_cell(int number, std::int64_t index, const Cell &cell);
    void add(const std::string &factor, std::int64_t cell, double value);
    [[nodiscard]] std::optional<std::size_t> find_row(const std::string &factor) const;

    const Grid &grid_;
    const Field &field_;
    const Assembler &assembler_;
    LargeVector<double> values_;
    std::vector<std::string> factors_;
};

}  // namespace perdure
