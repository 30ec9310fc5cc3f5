// Why a run stopped.
#pragma once

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

}  // namespace perdure
