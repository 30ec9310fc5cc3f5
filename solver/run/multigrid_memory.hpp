// The device memory of a multigrid run, in addition to the fields of its solver.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/discretise.hpp"
#include "solver/run/multigrid_cycle.hpp"

namespace perdure {

/// Host copies of hierarchy, lists, the conductances to sides, waves, places of numbers, tables and coefficients by labels.
class MultigridMemory {
  public:
    /// `scale`: of the hierarchy; 1 unless the precision is mixed. `finest`: the operator where that is uniform or
    /// comes by labels.
    template <typename Real>
    MultigridMemory(const Config &config, const Grid &grid, const Field &field, const ActiveCells &cells,
                    const Discretisation<Real> &finest, double scale, const CycleDevice &device);

    /// Of the kernel's last arguments, pointing into this object.
    [[nodiscard]] std::vector<KernelBuffer> buffers() const;

    [[nodiscard]] const hierarchy_t &hierarchy() const { return levels_.hierarchy; }

    /// Whether coefficients are tables on every level.
    [[nodiscard]] bool uniform() const {
        return levels_.hierarchy.level[levels_.hierarchy.levels - 1].grid.uniform != 0;
    }

  private:
    MultigridLevels levels_;
    MultigridPhases list_;
    std::vector<wave_t> waves_;
    std::vector<std::uint32_t> places_;
    std::variant<std::vector<float>, std::vector<double>> tables_, coefficients_,
        inverses_;  // of cycle_t; by labels
};

extern template MultigridMemory::MultigridMemory(const Config &, const Grid &, const Field &,
                                                 const ActiveCells &, const Discretisation<float> &, double,
                                                 const CycleDevice &);
extern template MultigridMemory::MultigridMemory(const Config &, const Grid &, const Field &,
                                                 const ActiveCells &, const Discretisation<double> &, double,
                                                 const CycleDevice &);

/// Bytes of a number that cycles work on.
std::int64_t cycle_bytes(Precision precision);

/// Bytes of the arena, for plans.
std::int64_t multigrid_bytes(const FinestLevel &finest, Precision precision);

}  // namespace perdure
