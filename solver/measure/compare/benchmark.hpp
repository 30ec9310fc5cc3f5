// The candidates that are compared at one point, and one timed run of one of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/measure/compare/measure_point.hpp"
#include "solver/measure/compare/timed_run.hpp"
#include "solver/run/progress.hpp"

namespace perdure::compare {

struct Timing {
    run_state_t state{};
    double seconds = 0.0, device_seconds = 0.0;
    std::int64_t launches = 0, graph_launches = 0, barriers = 0, looks = 0;
};

template <typename Real>
struct Candidate {
    Result result;
    LaunchPlan plan;
    TimedRun<Real> *timed_run = nullptr;  // null: it cannot run here
    double last_seconds = 0.0;            // of its last run, resets and warm-up included
    bool bits = true;                     // its answers are to be those of the phases, bit for bit
    double norm_bound = 0.0;  // but for norms: the share of them by which sums may be rounded otherwise

    [[nodiscard]] bool usable() const { return timed_run != nullptr && result.failure.empty(); }
};

/// What `iterations` and `check_every` say is the same for all candidates of a round.
struct RunLength {
    std::uint32_t iterations = 1, check_every = 1;
};

template <typename Real>
class Benchmark {
  public:
    /// Throws Failure for what no candidate can run, and for one that was asked for and is refused.
    explicit Benchmark(const PointTask &task);

    std::vector<Candidate<Real>> &candidates() { return candidates_; }
    [[nodiscard]] double bytes_per_iteration() const { return bytes_per_iteration_; }
    [[nodiscard]] double bytes_touched() const { return bytes_touched_; }
    /// The task says how many iterations there are to be, and they are most_iterations().
    [[nodiscard]] bool iterations_named() const { return task_.iterations > 0; }
    [[nodiscard]] std::uint32_t most_iterations() const;
    /// Another deadline than that of the task.
    void end_at(Deadline deadline) { deadline_ = deadline; }
    /// A stop was asked for, or the deadline has come.
    [[nodiscard]] bool ended() const;

    /// The candidate that the others are compared with: one launch a phase where there is that, else the first that can
    /// run.
    Candidate<Real> *reference();

    /// From wherever the fields are; `phases` > 0: so many and no more. Throws Failure.
    Timing go(Candidate<Real> &candidate, RunLength length, std::uint32_t phases = 0);
    template <typename Action>
    std::optional<Timing> attempt(Candidate<Real> &candidate, const Action &run);
    /// From the start; whatever a run writes to is put back. Empty when it failed, which the result then
    /// says, or was cut short.
    std::optional<Timing> from_scratch(Candidate<Real> &candidate, RunLength length);
    /// A few phases first, so that a graph is there and clocks are up, then the run that counts. Empty
    /// likewise.
    std::optional<Timing> timed(Candidate<Real> &candidate, RunLength length);
    /// The same without anything of ours around the run: its state and its seconds.
    std::optional<Timing> bare(Candidate<Real> &candidate, RunLength length);
    /// One more timed run, of the kernel's form with clocks in it; the result takes what they show, or says
    /// why not. `expected`: the state that it ends in.
    void find_shares(Candidate<Real> &candidate, RunLength length, const run_state_t &expected);

  private:
    run_parameters_t parameters_of(Candidate<Real> &candidate, RunLength length, std::uint32_t &last) const;
    void enter(const Contender &contender);
    TimedRun<Real> *timed_run_of(const LaunchPlan &plan);
    void count_bytes(const LaunchPlan &plan);

    const PointTask &task_;
    Deadline deadline_;
    std::uint64_t wait_limit_;
    Progress progress_;
    std::vector<std::unique_ptr<TimedRun<Real>>> timed_runs_;
    std::vector<Candidate<Real>> candidates_;
    double bytes_per_iteration_ = 0.0, bytes_touched_ = 0.0;
};

extern template class Benchmark<float>;
extern template class Benchmark<double>;

}  // namespace perdure::compare
