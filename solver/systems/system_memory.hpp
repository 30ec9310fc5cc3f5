// The device memory of a system, in addition to parameters, state and fields.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/system_setup.h"
#include "solver/backends/backend.hpp"
#include "solver/integrators/system_steps.hpp"
#include "solver/problem/large_vector.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/time_steps.hpp"
#include "solver/systems/system.hpp"
#include "solver/systems/watch_memory.hpp"

namespace perdure::systems {

/// The formulas that the kernel of these steps takes: those of the system or, of implicit steps, linearised().
System formulas_of_kernel(const System &system, const SystemSteps &steps);

/// The role of each field in these steps (kernels/system_setup.h); empty: all have the same.
std::vector<std::uint32_t> roles_of(const System &system, const SystemSteps &steps);

/// Buffers of kernels/system_fields.h; those of host threads, which interpret, are empty elsewhere.
template <typename Real>
class SystemMemory {
  public:
    /// `stable_step`: Problem::stable_time_step.
    SystemMemory(const System &system, const Grid &grid, const SystemSteps &steps, const TimeConfig &time,
                 double stable_step, const std::vector<Samples> &coefficients, int groups, bool interpreted);

    /// They point into this object.
    [[nodiscard]] std::vector<KernelBuffer> buffers() const;
    /// Once the device has the buffers.
    void release_coefficients() { coefficients_ = {}; }
    /// That of a segment. `pause_step`: of a run that chooses its steps, the one behind which its launch ends at the latest.
    [[nodiscard]] system_setup_t setup(const TimeSegment &segment, std::uint32_t pause_step) const;
    [[nodiscard]] WatchMemory &watched() { return watch_; }
    [[nodiscard]] const WatchMemory &watched() const { return watch_; }

  private:
    using AddProgram = std::function<std::uint32_t(const RowProgram &program)>;

    void add_instructions(const System &system, const SystemSteps &steps);
    void add_implicit_programs(const System &linearised, const AddProgram &add);

    const ImplicitRule *implicit_;
    system_setup_t setup_{};
    std::vector<double> numbers_;
    std::vector<system_side_t> sides_;
    std::vector<std::uint32_t> roles_;
    LargeVector<Real> coefficients_;
    std::vector<system_instruction_t> instructions_;
    std::size_t register_bytes_ = 0;
    WatchMemory watch_;
};

extern template class SystemMemory<float>;
extern template class SystemMemory<double>;

/// The same of a run without formulas, of kernels that would watch it in them.
std::vector<KernelBuffer> buffers_of_no_formulas();

/// Definitions of kernels/system_printed.h for a kernel that is compiled for this system alone, on grids of so many dimensions with
/// values of so many bytes.
std::string printed_definitions(const System &system, const SystemSteps &steps, int dimensions,
                                std::int64_t bytes_of_value);

}  // namespace perdure::systems
