// A case of a batch that runs beside others: an ensemble's member.
#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <vector>

#include "solver/output/claim.hpp"
#include "solver/output/run_output.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {

/// Runs in a thread of its own. Its snapshots wait in memory until the result is taken, when it is its turn.
class BatchMember {
  public:
    /// `prepared`: of an ensemble.
    BatchMember(Config config, PreparedCase prepared, Claim claim, std::unique_ptr<RunOutput> output);
    BatchMember(const BatchMember &) = delete;
    BatchMember &operator=(const BatchMember &) = delete;
    /// Waits until the run has ended.
    ~BatchMember();

    struct Solutions {
        std::vector<Solution> snapshots;  // but for the last one
        Solution last;
    };
    /// False where the system starts no thread at this moment.
    [[nodiscard]] bool start();
    [[nodiscard]] bool has_ended() const;
    /// Waits until the run has ended. Throws Failure: what it threw, and Failure(device) where the host had no memory for it.
    Solutions take();

    [[nodiscard]] const Config &config() const { return config_; }
    [[nodiscard]] const Grid &grid() const { return prepared_->problem.grid; }
    [[nodiscard]] Claim &claim() { return claim_; }
    [[nodiscard]] std::unique_ptr<RunOutput> &output() { return output_; }

  private:
    Config config_;
    std::unique_ptr<PreparedCase> prepared_;  // where its thread finds it, whoever holds the member
    Claim claim_;
    std::unique_ptr<RunOutput> output_;
    std::future<Solutions> run_;  // last: it ends before what it uses
};

/// Cases that may be under way at the same time: enough for the next launch to be ready when one ends, as far as memory goes.
std::size_t most_members(const PreparedCase &prepared);

/// Cases that other threads may start ahead of their turn.
std::size_t most_started_ahead();

/// Results of members that are written at the same time, by a thread each.
std::size_t most_written_at_once();

}  // namespace perdure::commands
