// Launches a kernel until its run stops, and monitors it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "solver/backends/backend.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/run/progress.hpp"

namespace perdure {

/// Drives one run on one device:
///   persistent    one launch, or launches of bounded length where the device shares no memory meanwhile
///   launches      one launch per phase; the state is looked at every check_every of them
///   graph         the same with the launches between two looks replayed as one graph
///   graph_while   one graph for the run, whose loop over batches of phases is on the device
class LaunchDriver {
  public:
    LaunchDriver(DeviceRun &run, const LaunchPlan &plan, Progress &progress);

    /// What this thread does besides while a launch is under way, every millisecond; what it throws ends the run.
    void do_meanwhile(std::function<void()> work) { meanwhile_ = std::move(work); }

    /// From now on the run is asked to stop at that time, as by a signal.
    void stop_at(std::optional<std::chrono::steady_clock::time_point> time) { stop_at_ = time; }

    /// A run that has stopped as it was asked to goes on.
    void go_on();
    /// Another run has come as far as this state, which it had written when it had made so many launches and passed so many barriers.
    void continue_from(const run_state_t &state, std::int64_t launches, std::int64_t graph_launches,
                       std::int64_t barriers);

    /// Runs phases first .. last - 1 or until the state says stop; returns the state.
    /// Throws Failure(device) when a wait ran out, naming who waited for whom.
    run_state_t run(run_parameters_t parameters, std::uint32_t first, std::uint32_t last);

    /// Launches so far, among them those that were nodes of graphs.
    [[nodiscard]] std::int64_t launches() const { return launches_; }
    [[nodiscard]] std::int64_t graph_launches() const { return graph_launches_; }
    /// In-kernel grid barriers so far.
    [[nodiscard]] std::int64_t barriers() const { return barriers_; }

  private:
    void run_at_once(run_parameters_t &parameters, std::uint32_t count);
    void run_bounded(run_parameters_t &parameters, std::uint32_t count);
    void run_phase_by_phase(run_parameters_t &parameters, std::uint32_t count);
    void run_graph(run_parameters_t &parameters, std::uint32_t count);
    void run_graph_while(run_parameters_t &parameters, std::uint32_t count);
    void go_on_behind_pause();
    void launch(const run_parameters_t &parameters);
    void set_graph_phases(std::uint32_t first, std::uint32_t end);
    void expect_progress(std::uint32_t phases_before) const;
    void adapt_bounded_count();
    void wait(run_parameters_t &parameters);
    void show();
    void show_state();
    void pass_on_interrupt(run_parameters_t &parameters);
    void read_state();
    void look_for_abandoned_wait();

    DeviceRun &run_;
    const LaunchPlan &plan_;
    Progress &progress_;
    run_state_t state_{};
    std::int64_t launches_ = 0;
    std::int64_t graph_launches_ = 0;
    std::int64_t barriers_ = 0;
    std::uint32_t bounded_count_ = 16;
    std::function<void()> meanwhile_;
    std::optional<std::chrono::steady_clock::time_point> stop_at_;
};

/// Phases of a graph: as many as lie between two looks at the state, shared out evenly where they are too many
/// nodes for one graph.
std::uint32_t phases_of_graph(std::uint32_t check_every);
/// Phases between two decisions of a loop on the device: as many, or a multiple that makes the decisions cheap.
std::uint32_t phases_of_loop(std::uint32_t check_every);

}  // namespace perdure
