// Why a run stopped.
#pragma once

#include <array>

#include "solver/enum_names.hpp"
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
    asked,  // by time.stop_when
    watchdog,
    step_too_small,  // the control of the step has shrunk it to nothing
};

template <>
inline constexpr std::array enum_names<StopReason>{NamedValue{StopReason::running, "running"},
                                                   NamedValue{StopReason::converged_rtol, "converged (rtol)"},
                                                   NamedValue{StopReason::converged_atol, "converged (atol)"},
                                                   NamedValue{StopReason::complete, "complete"},
                                                   NamedValue{StopReason::iteration_limit, "iteration limit"},
                                                   NamedValue{StopReason::accuracy_limit, "accuracy limit"},
                                                   NamedValue{StopReason::diverged, "diverged"},
                                                   NamedValue{StopReason::not_finite, "NaN or infinity"},
                                                   NamedValue{StopReason::breakdown, "breakdown"},
                                                   NamedValue{StopReason::stagnated, "stagnated"},
                                                   NamedValue{StopReason::stopped, "stopped"},
                                                   NamedValue{StopReason::asked, "stopped as asked"},
                                                   NamedValue{StopReason::watchdog, "no progress (watchdog)"},
                                                   NamedValue{StopReason::step_too_small, "step too small"}};

/// The words that the terminal and the report use.
const char *describe(StopReason reason);
ExitCode exit_code(StopReason reason);

/// Whether a run that stopped so came to its end: the same call again would do the same.
bool is_an_end(StopReason reason);

}  // namespace perdure
