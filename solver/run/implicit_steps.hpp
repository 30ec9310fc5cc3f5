// Implicit steps (kernels/implicit_step.h, of systems kernels/newton.h): the matrix of a segment, and the program that a launch of its steps runs.
#pragma once

#include <optional>
#include <vector>

#include "solver/run/run_case.hpp"
#include "solver/run/run_memory.hpp"

namespace perdure {

/// m of L + m c in the first segment; 0 of a run whose steps are explicit.
double first_mass(const PreparedCase &prepared);

/// Begins the steps of each segment. The matrix, which all steps of a segment share, is made anew on the host where m changes: where dt
/// does, between two snapshots, and behind the first step of bdf2.
template <typename Real>
class ImplicitSteps {
  public:
    /// `memory`: of the run, with the matrix of first_mass().
    ImplicitSteps(const PreparedCase &prepared, const std::vector<TimeSegment> &segments,
                  const RunMemory<Real> &memory);

    /// Writes to the device what the steps of a segment up to `end_step` begin with, and says what they are told. `state`: how far the run
    /// has come; its number of phases is that of the next one.
    run_parameters_t begin(const TimeSegment &segment, std::uint32_t end_step, run_state_t state,
                           const KernelCall &call, DeviceRun &run);

    /// The last segment behind `first` up to which the matrix, which the host makes, and the weights of steps stay as they are. A system's
    /// setup has the weights of the first step and those of all others.
    [[nodiscard]] const TimeSegment &last_alike(const TimeSegment &first) const;

  private:
    [[nodiscard]] bool are_alike(const TimeSegment &one, const TimeSegment &other) const;
    [[nodiscard]] const TimeSegment &first_alike(const TimeSegment &last) const;
    void make_matrix(double mass, DeviceRun &run);

    const PreparedCase &prepared_;
    const std::vector<TimeSegment> &segments_;
    const RunMemory<Real> &memory_;
    std::optional<RunMemory<Real>> later_;  // with the matrix that the device has, once it is not the first
    double mass_;
};

extern template class ImplicitSteps<float>;
extern template class ImplicitSteps<double>;

}  // namespace perdure
