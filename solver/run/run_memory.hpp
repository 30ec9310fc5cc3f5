// What a run puts on the device: parameters, state and fields in the order of the kernel's arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/run/discretise.hpp"
#include "solver/run/divider.hpp"
#include "solver/run/multigrid_memory.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/run/time_steps.hpp"

namespace perdure {

/// Host copies of everything that the device starts from; must outlive DeviceRun's construction.
template <typename Real>
class RunMemory {
  public:
    /// `segments` is empty for a steady problem.
    RunMemory(const Config &config, const Grid &grid, const Field &field, const ActiveCells &cells,
              const LaunchPlan &plan, Discretisation<Real> discretisation,
              const std::vector<TimeSegment> &segments);

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
    /// The place among the buffers where the answer stands.
    [[nodiscard]] std::size_t answer_buffer(const run_state_t &state) const;
    /// The place where the initial values stand.
    [[nodiscard]] std::size_t initial_buffer() const;
    /// Parameters and factor table of one segment.
    [[nodiscard]] run_parameters_t segment_parameters(const TimeSegment &segment) const;
    [[nodiscard]] std::vector<Real> factor_table(const TimeSegment &segment) const;

  private:
    [[nodiscard]] std::span<const KernelField> fields() const;

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
