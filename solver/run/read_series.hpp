// What was watched of a run, as the device has written it.
#pragma once

#include <memory>

#include "solver/backends/backend.hpp"
#include "solver/output/series.hpp"
#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/run_memory.hpp"

namespace perdure {

/// Throws Failure(differs_or_internal) where the series had no room for all rows.
std::shared_ptr<const Series> read_series(const systems::WatchMemory &watched, const Grid &grid,
                                          const KernelCall &call, DeviceRun &run);

/// Norms of the errors against exact solutions in its last row.
std::vector<ErrorNorms> errors_at_the_end(const systems::WatchMemory &watched, const Series &series);

/// Of all values.
double largest_magnitude(const std::vector<FieldResult> &fields);

/// What the run watched, if it watched anything.
template <typename Real>
const systems::WatchMemory *watched_by(const RunMemory<Real> &memory) {
    const bool watches = memory.system() != nullptr && memory.system()->watched().watch() != nullptr;
    return watches ? &memory.system()->watched() : nullptr;
}

/// What is watched is watched at the end too: kernels/watch.h.
template <typename Real>
std::uint32_t phases_behind_the_steps(const RunMemory<Real> &memory) {
    return watched_by(memory) != nullptr ? 1 : 0;
}

/// Once the run has ended, to its solution and its report. A run that was stopped as asked ended between two checks: what is known of the
/// largest value then is that of its solution.
template <typename Real>
void add_series(const RunMemory<Real> &memory, run_state_t &state, const Grid &grid, const KernelCall &call,
                DeviceRun &run, Solution &solution, Report &report) {
    const systems::WatchMemory *const watched = watched_by(memory);
    if (watched != nullptr && state.control.stop != STOP_NONE) {
        solution.series = read_series(*watched, grid, call, run);
        report.errors = errors_at_the_end(*watched, *solution.series);
        if (state.control.stop == STOP_ASKED) {
            // at step 0 what stands for it is the residual: solver/run/work_done.hpp
            state.time.largest = state.solve.residual = largest_magnitude(solution.fields);
        }
    }
}

}  // namespace perdure
