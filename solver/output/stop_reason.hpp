// Why a run stopped.
#pragma once

#include <optional>
#include <string>

#include "solver/failure.hpp"

namespace perdure {

enum class StopReason {
    running,
    converged_rtol,
    converged_atol,
    complete,  // a heat run that reached its end
    iteration_limit,
    accuracy_limit,
    diverged,
    not_finite,
    breakdown,
    stagnated,
    stopped,
    watchdog,
};

/// The words that the terminal and the report use.
const char *describe(StopReason reason);
ExitCode exit_code(StopReason reason);

/// Whether a run that stopped so came to its end: the same call again would do the same.
bool is_an_end(StopReason reason);

/// The reason that describe() gives these words; nothing for other words.
std::optional<StopReason> stop_reason_of(const std::string &words);

}  // namespace perdure
