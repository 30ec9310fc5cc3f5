// Who takes part at one point, and one run of one of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/measure/compare/measure_point.hpp"
#include "solver/measure/compare/track.hpp"
#include "solver/run/progress.hpp"

namespace perdure::compare {

struct Timing {
    run_state_t state{};
    double seconds = 0.0, device_seconds = 0.0;
    std::int64_t launches = 0, graph_launches = 0, barriers = 0, looks = 0;
};

template <typename Real>
struct Runner {
    Member member;
    LaunchPlan plan;
    Track<Real> *track = nullptr;  // null: it cannot run here
    double last_seconds = 0.0;     // of its last run, resets and warm-up included
    bool bits = true;              // its answers are to be those of the phases, bit for bit
    double norm_bound = 0.0;       // but for norms: the share of them by which sums may be rounded otherwise

    [[nodiscard]] bool usable() const { return track != nullptr && member.failure.empty(); }
};

/// What `iterations` and `check_every` say is the same for all runners of a round.
struct RunLength {
    std::uint32_t iterations = 1, check_every = 1;
};

template <typename Real>
class Contest {
  public:
    /// Throws Failure for what no member can run, and for a member that is refused.
    explicit Contest(const PointTask &task);

    std::vector<Runner<Real>> &runners() { return runners_; }
    [[nodiscard]] double bytes_per_iteration() const { return bytes_per_iteration_; }
    [[nodiscard]] double bytes_touched() const { return bytes_touched_; }
    /// The task says how many iterations there are to be, and they are most_iterations().
    [[nodiscard]] bool iterations_named() const { return task_.iterations > 0; }
    [[nodiscard]] std::uint32_t most_iterations() const;
    /// Another deadline than that of the task.
    void end_at(Deadline deadline) { deadline_ = deadline; }
    /// A stop was asked for, or the deadline has come.
    [[nodiscard]] bool ended() const;

    /// Whom the others are compared with: one launch a phase where there is that, else the first that can
    /// run.
    Runner<Real> *reference();

    /// From wherever the fields are; `phases` > 0: so many and no more. Throws Failure.
    Timing go(Runner<Real> &runner, RunLength length, std::uint32_t phases = 0);
    template <typename Action>
    std::optional<Timing> attempt(Runner<Real> &runner, const Action &run);
    /// From the start; whatever a run writes to is put back. Empty when it failed, which the member then
    /// says, or was cut short.
    std::optional<Timing> from_scratch(Runner<Real> &runner, RunLength length);
    /// A few phases first, so that a graph is there and clocks are up, then the run that counts. Empty
    /// likewise.
    std::optional<Timing> timed(Runner<Real> &runner, RunLength length);
    /// The same without anything of ours around the run: its state and its seconds.
    std::optional<Timing> bare(Runner<Real> &runner, RunLength length);
    /// One more timed run, of the kernel's form with clocks in it; the member takes what they show, or says
    /// why not. `expected`: the state that it ends in.
    void find_shares(Runner<Real> &runner, RunLength length, const run_state_t &expected);

  private:
    run_parameters_t parameters_of(Runner<Real> &runner, RunLength length, std::uint32_t &last) const;
    void enter(const Contender &contender);
    Track<Real> *track_of(const LaunchPlan &plan);
    void count_bytes(const LaunchPlan &plan);

    const PointTask &task_;
    Deadline deadline_;
    std::uint64_t wait_limit_;
    Progress progress_;
    std::vector<std::unique_ptr<Track<Real>>> tracks_;
    std::vector<Runner<Real>> runners_;
    double bytes_per_iteration_ = 0.0, bytes_touched_ = 0.0;
};

extern template class Contest<float>;
extern template class Contest<double>;

}  // namespace perdure::compare
