// A run with timed launches, as the comparison uses it.
#pragma once

#include <optional>

#include "solver/backends/backend.hpp"

namespace perdure::compare {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Passes everything on to a run that it does not own. On a GPU the host waits awake, so that what a sleep adds is in
/// no model's time. `whole`: the models whose launches hold the whole run, and whose device time is added up. When the
/// deadline has come the run is asked to stop at its next check. Adds about 8 ns to a launch.
class WatchedRun final : public DeviceRun {
  public:
    WatchedRun(DeviceRun &run, bool awake, bool whole, Deadline deadline)
        : run_(run), awake_(awake), whole_(whole), deadline_(deadline) {}

    void launch(const run_parameters_t &parameters, bool synchronised) override {
        run_.launch(in_time(parameters), synchronised);
        under_way_ = true;
    }
    void launch_phase(const run_parameters_t &parameters) override {
        run_.launch_phase(in_time(parameters));
        under_way_ = true;
    }
    void launch_graph(const run_parameters_t &parameters, PhaseGraph graph) override {
        run_.launch_graph(in_time(parameters), graph);
        under_way_ = true;
    }
    bool finished(std::chrono::milliseconds timeout) override;
    double launch_seconds() override { return run_.launch_seconds(); }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        run_.read(buffer, to, bytes, offset);
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        run_.write(buffer, from, bytes, offset);
    }
    control_t *control() override { return run_.control(); }

    /// How often the host waited for what it had launched.
    [[nodiscard]] std::int64_t looks() const { return looks_; }
    /// 0 unless `whole`.
    [[nodiscard]] double device_seconds() const { return device_seconds_; }

  private:
    bool wait(std::chrono::milliseconds timeout);
    void look_at_the_clock();
    const run_parameters_t &in_time(const run_parameters_t &parameters) {
        if (!late_) {
            return parameters;
        }
        late_parameters_ = parameters;
        late_parameters_.stop_request = 1;
        return late_parameters_;
    }

    DeviceRun &run_;
    bool awake_, whole_;
    Deadline deadline_;
    bool late_ = false;
    run_parameters_t late_parameters_{};
    bool under_way_ = false;
    std::int64_t looks_ = 0;
    double device_seconds_ = 0.0;
};

}  // namespace perdure::compare
