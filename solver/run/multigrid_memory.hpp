// What a multigrid run puts on the device besides the fields of its solver.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/multigrid_cycle.hpp"

namespace perdure {

/// Host copies of hierarchy, lists and the conductances to sides; Real is cycle_t.
template <typename Real>
class MultigridMemory {
  public:
    MultigridMemory(const SolverConfig &solver, const Problem &problem, const ActiveCells &cells,
                    bool uniform);

    /// In the order of the kernel's last arguments, pointing into this object.
    [[nodiscard]] std::vector<KernelBuffer> buffers() const;

    /// Whether coefficients are tables on every level.
    [[nodiscard]] bool uniform() const {
        return levels_.hierarchy.level[levels_.hierarchy.levels - 1].grid.uniform != 0;
    }

  private:
    MultigridLevels levels_;
    MultigridPhases list_;
    std::vector<Real> sides_;
};

extern template class MultigridMemory<float>;
extern template class MultigridMemory<double>;

/// Bytes of the arena, for plans.
std::int64_t multigrid_bytes(const FinestLevel &finest, std::int64_t entry_bytes);

}  // namespace perdure
