// A case of a batch that runs beside others: an ensemble's member.
#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <vector>

#include "solver/commands/batch_messages.hpp"
#include "solver/commands/run_ending.hpp"
#include "solver/output/claim.hpp"
#include "solver/output/run_output.hpp"
#include "solver/run/ensemble.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {

/// Runs in a thread of its own, which also writes the result where no snapshot comes before it. Snapshots wait in memory until it is the
/// member's turn, and the result behind them.
class BatchMember {
  public:
    /// `prepared`: of an ensemble. `messages` must outlive it.
    BatchMember(Config config, PreparedCase prepared, Claim claim, std::unique_ptr<RunOutput> output,
                const BatchMessages &messages);
    BatchMember(const BatchMember &) = delete;
    BatchMember &operator=(const BatchMember &) = delete;
    /// Waits until the run has ended.
    ~BatchMember();

    struct Solutions {
        std::vector<Solution> snapshots;  // but for the last one
        Solution last;
        std::unique_ptr<RunEnding> ending;  // of what has no snapshots: its result is written, or cannot be
    };
    /// False where the system starts no thread at this moment.
    [[nodiscard]] bool start();
    [[nodiscard]] bool has_ended() const;
    /// Waits until the run has ended. Throws Failure: what it threw, and Failure(device) where the host had no memory for it.
    Solutions take();

    [[nodiscard]] const Config &config() const { return config_; }
    [[nodiscard]] RunOutput &output() { return *output_; }
    /// With claim and output, which are the member's until then.
    [[nodiscard]] RunEnding ending(const Report &report);

  private:
    Solutions solve_and_write(std::unique_ptr<Ensemble::Membership> membership);

    Config config_;
    Grid grid_;
    std::shared_ptr<Ensemble> ensemble_;
    std::unique_ptr<PreparedCase> prepared_;  // where its thread finds it, whoever holds the member
    Claim claim_;
    std::unique_ptr<RunOutput> output_;
    const BatchMessages &messages_;
    std::future<Solutions> run_;  // last: it ends before what it uses
};

/// Cases that may be under way at the same time: enough for the next launch to be ready when one ends, as far as memory goes.
std::size_t most_members(const PreparedCase &prepared);

/// Cases that other threads may start ahead of their turn.
std::size_t most_started_ahead();

/// Results of members that are written at the same time, by a thread each.
std::size_t most_written_at_once();

}  // namespace perdure::commands
