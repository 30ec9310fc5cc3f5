// A case at one size, sampled once for all precisions.
#pragma once

#include <memory>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/case_file/config.hpp"
#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"

namespace perdure::compare {

class SampledCase {
  public:
    /// Samples the case, unless that has been done since forget(). Throws Failure where the device has too little memory for a run, or a
    /// value of the case is wrong.
    void prepare(const Config &config, Device &device);
    void forget() { problem_.reset(); }

    [[nodiscard]] const Problem &problem() const { return *problem_; }
    /// Of each field.
    [[nodiscard]] const std::vector<ActiveCells> &cells() const { return *cells_; }

  private:
    std::unique_ptr<Problem> problem_;
    std::unique_ptr<std::vector<ActiveCells>> cells_;
};

}  // namespace perdure::compare
