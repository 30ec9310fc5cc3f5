// What a run of a system puts on the device beside parameters, state and fields.
#pragma once

#include <string>
#include <vector>

#include "kernels/system_setup.h"
#include "solver/backends/backend.hpp"
#include "solver/integrators/tableau.hpp"
#include "solver/problem/problem.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {

/// Buffers of kernels/system_fields.h; those of host threads, which interpret, are empty elsewhere.
template <typename Real>
class SystemMemory {
  public:
    SystemMemory(const System &system, const Grid &grid, const Tableau &tableau,
                 const std::vector<Samples> &coefficients, int groups, bool interpreted);

    /// They point into this object.
    [[nodiscard]] std::vector<KernelBuffer> buffers() const;

  private:
    void add_instructions(const System &system);

    system_setup_t setup_{};
    std::vector<double> numbers_;
    std::vector<system_side_t> sides_;
    std::vector<Real> coefficients_;
    std::vector<system_instruction_t> instructions_;
    std::size_t register_bytes_ = 0;
};

extern template class SystemMemory<float>;
extern template class SystemMemory<double>;

/// Definitions of kernels/system_printed.h for a kernel that is compiled for this system alone.
std::string printed_definitions(const System &system, const Tableau &tableau);

}  // namespace perdure::systems
