// What a run puts on the device: parameters, state and fields in the order of the kernel's arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/run/discretise.hpp"
#include "solver/run/divider.hpp"
#include "solver/run/multigrid_memory.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/run/time_steps.hpp"

namespace perdure {

/// Buffers that kernels/jacobi.h, heat.h, cg.h and bicgstab.h have in common, by argument position.
enum RunBuffer : std::size_t {
    buffer_control,
    buffer_sync,
    buffer_state,
    buffer_partials,
    buffer_history,
    buffer_diagonal,
    buffer_inverse_diagonal,
    buffer_face_x,
    buffer_face_y,
    buffer_face_z,
    buffer_b,
    buffer_u,            // cg, bicgstab: x; jacobi, heat: the even copy of u
    buffer_u_odd,        // jacobi, heat
    buffer_factor_table  // heat
};

/// Krylov methods whose kernels then have 1 in place of the inverse diagonal, 0 in excluded cells.
inline bool unpreconditioned(const SolverConfig &solver) {
    return solver.preconditioner == Preconditioner::none &&
           (solver.method == SolverMethod::cg || solver.method == SolverMethod::bicgstab);
}

/// Host copies of everything that the device starts from; must outlive DeviceRun's construction.
template <typename Real>
class RunMemory {
  public:
    /// `segments` is empty for a steady problem.
    RunMemory(const Config &config, const Problem &problem, const ActiveCells &cells, const LaunchPlan &plan,
              Discretisation<Real> discretisation, const std::vector<TimeSegment> &segments);

    /// Buffers with their initial values, pointing into this object.
    [[nodiscard]] KernelCall call() const;
    [[nodiscard]] const run_parameters_t &parameters() const { return parameters_; }
    [[nodiscard]] std::uint32_t history_capacity() const { return parameters_.history_capacity; }
    [[nodiscard]] std::int64_t bytes() const;
    /// Of kernels that have cycles, else null.
    [[nodiscard]] const hierarchy_t *hierarchy() const {
        return multigrid_ ? &multigrid_->hierarchy() : nullptr;
    }
    [[nodiscard]] const Discretisation<Real> &discretisation() const { return discretisation_; }
    /// Where the answer stands.
    [[nodiscard]] std::size_t answer_buffer(const run_state_t &state) const;
    /// Parameters and factor table of one segment.
    [[nodiscard]] run_parameters_t segment_parameters(const TimeSegment &segment) const;
    [[nodiscard]] std::vector<Real> factor_table(const TimeSegment &segment) const;

  private:
    const Config &config_;
    const LaunchPlan &plan_;
    Discretisation<Real> discretisation_;
    std::vector<Real> initial_;
    std::optional<MultigridMemory> multigrid_;
    std::size_t factor_rows_ = 0;
    run_parameters_t parameters_{};
    run_state_t state_{};
};

extern template class RunMemory<float>;
extern template class RunMemory<double>;

}  // namespace perdure
