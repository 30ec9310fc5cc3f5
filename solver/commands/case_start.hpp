// What is settled of a case before it runs, by another thread where that gains time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "solver/case_file/config.hpp"
#include "solver/failure.hpp"
#include "solver/output/claim.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/run_output.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {

struct CaseStart {
    std::string result_before;  // identity_of_result() from before all else
    EarlierRun earlier;
    std::optional<Claim> claim;
    std::optional<ClaimHolder> holder;    // another process, which has the name
    std::optional<Failure> cannot_claim;  // reported together with what else is wrong with the case
    std::optional<PreparedCase> prepared;
    std::optional<Config> config;       // of the prepared case, with its data files as they were read
    std::unique_ptr<RunOutput> output;  // of a member of an ensemble whose name is free
};

/// The starts of members of an ensemble that other threads make before it is their turn. Of cases that run one after the other none is
/// made: what they have prepared takes memory, and their plans are measured on the device.
///
/// Publishes: a start, from the thread that made it to the one that takes it. The edge is the mutex. Needs progress of the threads that
/// make starts.
class StartsAhead {
  public:
    /// From now on those of cases like this one, a member of an ensemble. `cases`: of the batch. `most`: that wait or are made.
    void allow(const PreparedCase &like, std::size_t cases, std::size_t most);

    /// Calls `make` in the calling thread, where such starts are allowed, and keeps a start under the address of the config.
    void make(const Config &config, const std::function<std::optional<CaseStart>()> &make);

    /// Nothing where none was made.
    std::optional<CaseStart> take(const Config &config);

    /// Waits for those that are being made, and drops all: from now on none is allowed.
    void give_up();

  private:
    struct Like {
        ExecutionConfig execution;
        std::shared_ptr<Ensemble> ensemble;
        std::size_t cases, most;
    };
    /// A place for one more start, of this case.
    bool reserve(const Config &config);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Like> like_;
    std::size_t being_made_ = 0;
    std::map<const Config *, CaseStart> there_;
};

}  // namespace perdure::commands
