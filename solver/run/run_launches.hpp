// One launch of a run and its results.
#pragma once

#include <cstdint>

#include "solver/backends/wait_limit.hpp"
#include "solver/run/run_solutions.hpp"

namespace perdure {

/// The state behind phases `first` to `last` - 1, or behind that which stopped the run; `before`: the state before them.
template <typename Real>
run_state_t launch_phases(const PreparedCase &prepared, RunSolutions<Real> &solutions, LaunchDriver &driver,
                          const run_state_t &before, run_parameters_t parameters, std::uint32_t first,
                          std::uint32_t last) {
    parameters.wait_limit = watchdog_limit(*prepared.selected.device, prepared.config.execution);
    solutions.begin_launch(before);
    const run_state_t behind = driver.run(parameters, first, last);
    solutions.end_launch(prepared.plan.ring_slots > 0);
    return behind;
}

}  // namespace perdure
