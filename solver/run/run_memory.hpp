// The device memory of a run: parameters, state and fields in the order of the kernel's arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/run/discretise.hpp"
#include "solver/run/divider.hpp"
#include "solver/run/multigrid_memory.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/run/time_steps.hpp"
#include "solver/systems/system_memory.hpp"

namespace perdure {

/// Host copies of everything that the device starts from; must outlive DeviceRun's construction.
template <typename Real>
class RunMemory {
  public:
    /// `cells` and `discretisations` are those of each field, `coefficients` those of a system. `segments` is empty for a steady problem.
    RunMemory(const Config &config, const Grid &grid, std::span<const Field> fields,
              std::span<const ActiveCells> cells, const LaunchPlan &plan,
              std::vector<Discretisation<Real>> discretisations, const std::vector<TimeSegment> &segments,
              const std::vector<Samples> &coefficients = {});

    /// Of a problem with one field.
    RunMemory(const Config &config, const Grid &grid, const Field &field, const ActiveCells &cells,
              const LaunchPlan &plan, Discretisation<Real> discretisation,
              const std::vector<TimeSegment> &segments);

    /// Buffers with their initial values, pointing into this object. Those of fields in parts are still to be written
    /// (operator_in_parts.hpp).
    [[nodiscard]] KernelCall call() const;
    [[nodiscard]] const run_state_t &state() const { return state_; }
    /// Behind the construction of DeviceRun: what the device has is given up here. No further call of call().
    void release_fields();
    [[nodiscard]] const run_parameters_t &parameters() const { return parameters_; }
    [[nodiscard]] std::uint32_t history_capacity() const { return parameters_.history_capacity; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }
    /// Of kernels that have cycles, else null.
    [[nodiscard]] const hierarchy_t *hierarchy() const {
        return multigrid_ ? &multigrid_->hierarchy() : nullptr;
    }
    [[nodiscard]] const Discretisation<Real> &discretisation(std::size_t field = 0) const {
        return discretisations_[field];
    }
    /// What the kernel calls b of a field.
    [[nodiscard]] const char *name_of_b() const {
        return plan_.method->implicit != nullptr ? "sources" : "b";
    }
    /// What the names of a field's arguments begin with: nothing for the first, v_ for v.
    [[nodiscard]] std::string prefix(std::size_t field) const {
        return field == 0 ? "" : names_[field] + "_";
    }
    /// The place among the buffers where the answer of a field stands.
    [[nodiscard]] std::size_t answer_buffer(const run_state_t &state, std::size_t field = 0) const;
    /// Bytes before it in that buffer.
    [[nodiscard]] std::size_t answer_offset(std::size_t field) const;
    /// The place where the initial values of a field stand.
    [[nodiscard]] std::size_t initial_buffer(std::size_t field = 0) const;
    /// Parameters of a launch that begins in a segment, and the factor table of the segments that it takes.
    [[nodiscard]] run_parameters_t segment_parameters(const TimeSegment &segment) const;
    [[nodiscard]] std::vector<Real> factor_table(std::span<const TimeSegment> segments) const;
    /// How many steps of a launch the device has room for the factors of.
    [[nodiscard]] std::size_t factor_rows() const { return factor_rows_; }
    /// Of formulas that are stepped, or in which the run is watched; else null.
    [[nodiscard]] const systems::SystemMemory<Real> *system() const { return system_ ? &*system_ : nullptr; }
    /// Whether solves of steps begin from an extrapolated guess: kernels/implicit_step.h.
    [[nodiscard]] bool extrapolates() const;
    /// Whether they are stepped.
    [[nodiscard]] bool steps_formulas() const { return config_.system != nullptr; }

  private:
    [[nodiscard]] std::span<const KernelField> arguments() const;
    [[nodiscard]] bool by_labels() const { return discretisations_.front().labels.count > 0; }
    [[nodiscard]] bool has_tensors() const { return discretisations_.front().cross_terms.present(); }
    [[nodiscard]] std::vector<KernelBuffer> given() const;
    void add_discretisation(std::size_t field, std::vector<KernelBuffer> &given) const;

    const Config &config_;
    const LaunchPlan &plan_;
    std::vector<std::string> names_;  // of the fields
    std::vector<Discretisation<Real>> discretisations_;
    std::vector<LargeVector<Real>> initial_;  // of each field; empty: zeros, or in parts
    std::optional<MultigridMemory> multigrid_;
    std::optional<systems::SystemMemory<Real>> system_;
    std::size_t factor_rows_ = 0;
    std::vector<segment_t> segments_;
    run_parameters_t parameters_{};
    run_state_t state_{};
    std::int64_t bytes_ = 0;  // of all buffers, in this process
};

extern template class RunMemory<float>;
extern template class RunMemory<double>;

}  // namespace perdure
