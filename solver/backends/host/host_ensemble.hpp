// Members of an ensemble on host threads: as many at a time as there are threads, each as one group.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "solver/backends/backend.hpp"

namespace perdure::host {

/// Publishes: what a member has written, to whoever finished() has told that all have ended; the edge is the mutex, under which `ended_` is
/// counted. No member waits for another one.
class HostEnsemble final : public EnsembleLaunch {
  public:
    /// `members`: each runs one kernel to its end. Where the system starts no thread, the calling one runs them all first.
    HostEnsemble(std::vector<std::function<void()>> members, int threads);
    ~HostEnsemble() override;

    bool finished(std::chrono::milliseconds timeout) override;
    double seconds(std::size_t member) override { return seconds_.at(member); }

  private:
    void run_members();

    std::vector<std::function<void()>> members_;
    std::vector<double> seconds_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::condition_variable all_have_ended_;
    std::size_t ended_ = 0;
    std::vector<std::jthread> threads_;  // last: joined first
};

}  // namespace perdure::host
