// Launches a kernel until its run stops, and keeps an eye on it meanwhile.
#pragma once

#include <cstdint>

#include "solver/backends/backend.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/run/progress.hpp"

namespace perdure {

/// Drives one run on one device: one launch (persistent), launches of bounded length (persistent on a device
/// that shares no memory meanwhile), or one launch per phase.
class LaunchDriver {
  public:
    LaunchDriver(DeviceRun &run, const LaunchPlan &plan, Progress &progress);

    /// Runs phases first .. last - 1 or until the state says stop; returns the state.
    /// Throws Failure(device) when a wait ran out, naming who waited for whom.
    run_state_t run(run_parameters_t parameters, std::uint32_t first, std::uint32_t last);

    [[nodiscard]] std::int64_t launches() const { return launches_; }
    /// In-kernel grid barriers so far.
    [[nodiscard]] std::int64_t barriers() const { return barriers_; }

  private:
    void run_at_once(run_parameters_t &parameters, std::uint32_t count);
    void run_bounded(run_parameters_t &parameters, std::uint32_t count);
    void run_phase_by_phase(run_parameters_t &parameters, std::uint32_t count);
    void launch(const run_parameters_t &parameters, bool synchronised);
    void wait(run_parameters_t &parameters);
    void show();
    void pass_on_interrupt(run_parameters_t &parameters);
    void read_state();

    DeviceRun &run_;
    const LaunchPlan &plan_;
    Progress &progress_;
    run_state_t state_{};
    std::int64_t launches_ = 0;
    std::int64_t barriers_ = 0;
    std::uint32_t bounded_count_ = 16;
};

}  // namespace perdure
