// Evaluates the initial values of a system from their formulas.
#pragma once

#include <vector>

#include "solver/problem/problem.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {

/// Refers to what it is made of.
class InitialValues {
  public:
    InitialValues(const System &system, const Grid &grid, const std::vector<Field> &initial,
                  const std::vector<Samples> &coefficients, double start_time);
    InitialValues(const InitialValues &) = delete;
    InitialValues &operator=(const InitialValues &) = delete;

    /// At the start, in the first cell.
    [[nodiscard]] const CellContext &context() const { return context_; }

  private:
    const double *in_each_cell(const Samples &samples);

    CellContext context_;
    std::vector<std::vector<double>> expanded_;  // of what is given as one number
};

}  // namespace perdure::systems
