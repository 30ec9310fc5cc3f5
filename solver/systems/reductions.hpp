// The sums, minima and maxima over cells from which integrals are computed.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/systems/term_builder.hpp"
#include "solver/systems/watch.hpp"

namespace perdure::systems {

class Reductions {
  public:
    /// Both must outlive this object.
    Reductions(TermBuilder &build, const Grid &grid) : build_(build), grid_(grid) {}

    /// Of the values of a term. `condition`: a term, or -1 for all cells.
    watch_integral_t made_of(WatchedQuantity quantity, int value, int condition);

    /// The sum over the cells where a condition holds, times a factor.
    watch_integral_t sum_of(int value, int condition, double factor);

    /// Each once.
    [[nodiscard]] const std::vector<Watch::Reduction> &all() const { return all_; }

  private:
    /// The number of an equal reduction, where there is one.
    std::uint32_t add(std::uint32_t kind, int term);

    TermBuilder &build_;
    const Grid &grid_;
    std::vector<Watch::Reduction> all_;
};

}  // namespace perdure::systems
