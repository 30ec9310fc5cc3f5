// A case on the device for repeated timed runs: candidates of one launch shape share it, and reset() puts it back to its start.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/measure/compare/bytes_moved.hpp"
#include "solver/run/run_memory.hpp"

namespace perdure::compare {

template <typename Real>
struct AnsweredField {
    std::string name;
    LargeVector<Real> values;
};

/// What a run left. `history`: iteration and norm of each entry, without the times.
template <typename Real>
struct Answer {
    run_state_t state{};
    std::vector<double> history;
    std::vector<AnsweredField<Real>> fields;
};

/// Empty where both are the same bits, but for norms, whose sums may be rounded by that share of them; else what differs, with
/// the first cell of a field.
template <typename Real>
std::string difference(const Answer<Real> &found, const Answer<Real> &expected, const std::string &by,
                       const Grid &grid, double norm_bound = 0.0);

/// What differs in how two runs ended; fields are not looked at.
std::string difference(const run_state_t &found, const run_state_t &expected, const std::string &by,
                       double norm_bound = 0.0);

/// Of a field's norm: how far the fields of models may be apart that add their sums in another order.
template <typename Real>
inline constexpr double field_bound = sizeof(Real) == 4 ? 1.0e-2 : 1.0e-6;

/// Empty where as many iterations led to fields within field_bound of each other, and to a true residual of
/// at most twice the size, or of what rounding leaves; else what differs.
template <typename Real>
std::string difference_beyond_bound(const Answer<Real> &found, const Answer<Real> &expected,
                                    const std::string &by);

template <typename Real>
class TimedRun {
  public:
    /// `config`, `problem` and `cells` must outlive it. `most_iterations`: of the runs to come.
    TimedRun(const Config &config, const Problem &problem, const std::vector<ActiveCells> &cells,
             const LaunchPlan &plan, Device &device, std::uint32_t most_iterations);

    [[nodiscard]] const LaunchShape &shape() const { return plan_.shape; }
    /// Its kernel is compiled with the platform's own grid barrier.
    [[nodiscard]] bool has_cooperative_barrier() const { return call_.cooperative; }
    [[nodiscard]] const std::string &kernel() const { return plan_.launched; }
    [[nodiscard]] DeviceRun &run() { return *run_; }
    /// Those of a run of so many iterations or steps; `last` is behind its last phase.
    [[nodiscard]] run_parameters_t parameters(std::uint32_t iterations, std::uint32_t &last) const;
    [[nodiscard]] ProblemTraits traits() const;

    /// Back to the start: control, barriers and state; or the initial values as well; or whatever else a run
    /// writes to.
    enum class Extent { state, initial_values, all };
    void reset(Extent extent);
    [[nodiscard]] Answer<Real> answer(const run_state_t &state);

    /// From the next reset on the kernel's form with clocks in it, or the plain one again; false where there
    /// is none.
    bool instrument(bool on);
    /// What the clocks of all groups have shown since the last reset.
    [[nodiscard]] std::vector<std::uint64_t> part_times();

  private:
    LaunchPlan plan_;
    Config config_;                   // with room for a check in every iteration
    std::vector<std::string> names_;  // of the fields
    std::vector<TimeSegment> segments_;
    std::unique_ptr<RunMemory<Real>> memory_;
    KernelCall call_;
    std::unique_ptr<DeviceRun> run_;
    std::map<std::size_t, bool>
        initial_;  // places of initial values among the buffers; whether they are zeros
    std::size_t partials_ = 0;
    std::size_t times_place_ = 0;  // behind the partial sums
    bool instrumented_ = false;
};

extern template class TimedRun<float>;
extern template class TimedRun<double>;

}  // namespace perdure::compare
