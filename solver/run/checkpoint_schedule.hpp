// Decides when a run in time writes checkpoints, and when it must stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "solver/run/run_case.hpp"

namespace perdure {

/// A checkpoint stands at a check, where the state of a run is whole: after so many steps at the first check from there on, after so much
/// time at the next check. Launches end there.
class CheckpointSchedule {
  public:
    using Clock = std::chrono::steady_clock;

    CheckpointSchedule(const Config &config, const Resumption &resumption);

    /// The first step behind `step` at which one is due after so many steps; the largest number where none is.
    [[nodiscard]] std::uint32_t next_after(std::uint32_t step) const;
    /// When the launch that begins now is asked to stop at the latest.
    [[nodiscard]] std::optional<Clock::time_point> stop_at() const;
    /// Whether a run that has stopped as it was asked to is at its end; else it goes on behind a checkpoint.
    [[nodiscard]] bool is_at_end() const;
    /// Whether one is due at this step, where the run has `stopped` or its launch has ended.
    [[nodiscard]] bool is_due(std::uint32_t step, bool stopped) const;
    void saved() { last_ = Clock::now(); }

  private:
    [[nodiscard]] bool limit_is_reached() const;

    std::optional<CheckpointConfig> config_;
    std::uint32_t check_every_;
    bool saves_;
    std::optional<Clock::time_point> limit_;
    Clock::time_point last_ = Clock::now();
};

}  // namespace perdure
