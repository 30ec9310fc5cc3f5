#include "solver/run/checkpoint_schedule.hpp"

#include <algorithm>
#include <limits>

#include "solver/ranks/ranks.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure {

CheckpointSchedule::CheckpointSchedule(const Config &config, const Resumption &resumption)
    : config_(config.output.checkpoint),
      check_every_(static_cast<std::uint32_t>(config.solver.check_every)),
      saves_(static_cast<bool>(resumption.save)),
      limit_(resumption.stop_at) {}

std::uint32_t CheckpointSchedule::next_after(std::uint32_t step) const {
    constexpr std::uint64_t none = std::numeric_limits<std::uint32_t>::max();
    if (!saves_ || !config_ || config_->every_steps == 0) {
        return none;
    }
    const auto every = static_cast<std::uint64_t>(config_->every_steps);
    for (std::uint64_t due = (step / every + 1) * every;; due += every) {
        const std::uint64_t check = (due + check_every_ - 1) / check_every_ * check_every_;
        if (check > step) {
            return static_cast<std::uint32_t>(std::min(check, none));
        }
    }
}

std::optional<CheckpointSchedule::Clock::time_point> CheckpointSchedule::stop_at() const {
    std::optional<Clock::time_point> at = limit_;
    if (saves_ && config_ && config_->every_minutes > 0.0) {
        const auto due = last_ + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double, std::ratio<60>>(config_->every_minutes));
        at = at ? std::min(*at, due) : due;
    }
    return at;
}

bool CheckpointSchedule::limit_is_reached() const {
    return in_any_rank(limit_ && Clock::now() >= *limit_);
}

bool CheckpointSchedule::is_at_end() const {
    const bool is_interrupted = in_any_rank(interrupted());
    return limit_is_reached() || is_interrupted;
}

bool CheckpointSchedule::is_due(std::uint32_t step, bool stopped) const {
    if (!saves_) {
        return false;
    }
    if (stopped) {
        const bool is_interrupted = in_any_rank(interrupted());
        return limit_is_reached() || !is_interrupted || !config_ || config_->on_signal;
    }
    return step > 0 && next_after(step - 1) == step;
}

}  // namespace perdure
