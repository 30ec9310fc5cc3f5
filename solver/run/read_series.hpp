// Reads the watched values of a run from the device.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/output/series.hpp"
#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/run_memory.hpp"

namespace perdure {

/// The rows of a series: those that the host has taken, whose places the run fills again, and behind them those on the device.
class SeriesRows {
  public:
    /// `watched`: null where nothing is watched; all functions then do nothing.
    SeriesRows(const systems::WatchMemory *watched, const KernelCall &call, DeviceRun &run)
        : watched_(watched), call_(call), run_(run) {}

    [[nodiscard]] const systems::WatchMemory *watched() const { return watched_; }
    /// Between two launches: takes the rows where no other one has room.
    void take_if_full();
    /// Throws Failure(differs_or_internal) where there was no room for all rows.
    [[nodiscard]] std::vector<double> values() const;
    /// Of a run that goes on: all rows that there were.
    void restore(const std::vector<double> &values);

  private:
    [[nodiscard]] std::size_t columns() const { return watched_->setup().columns; }
    [[nodiscard]] std::size_t rows_taken() const { return taken_.size() / columns(); }
    [[nodiscard]] std::size_t rows_on_device() const;

    const systems::WatchMemory *watched_;
    const KernelCall &call_;
    DeviceRun &run_;
    std::vector<double> taken_;
};

std::shared_ptr<const Series> read_series(const SeriesRows &rows, const Grid &grid);

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
inline void add_series(const SeriesRows &rows, run_state_t &state, const Grid &grid, Solution &solution,
                       Report &report) {
    if (rows.watched() != nullptr && state.control.stop != STOP_NONE) {
        solution.series = read_series(rows, grid);
        report.errors = errors_at_the_end(*rows.watched(), *solution.series);
        if (state.control.stop == STOP_ASKED) {
            // at step 0 what stands for it is the residual: solver/run/work_done.hpp
            state.time.largest = state.solve.residual = largest_magnitude(solution.fields);
        }
    }
}

}  // namespace perdure
