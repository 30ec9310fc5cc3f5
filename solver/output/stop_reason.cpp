#include "solver/output/solution.hpp"

#include <algorithm>

namespace perdure {

const char *describe(StopReason reason) {
    return name(reason);
}

bool is_an_end(StopReason reason) {
    return reason != StopReason::running && reason != StopReason::stopped && reason != StopReason::watchdog;
}

ExitCode exit_code(StopReason reason) {
    switch (reason) {
        case StopReason::converged_rtol:
        case StopReason::converged_atol:
        case StopReason::complete:
        case StopReason::asked:
            return ExitCode::success;
        case StopReason::iteration_limit:
        case StopReason::accuracy_limit:
            return ExitCode::not_converged;
        case StopReason::diverged:
        case StopReason::not_finite:
        case StopReason::breakdown:
        case StopReason::stagnated:
        case StopReason::step_too_small:
            return ExitCode::numerical;
        case StopReason::stopped:
            return ExitCode::stopped;
        case StopReason::watchdog:
            return ExitCode::device;
        case StopReason::running:
            break;
    }
    return ExitCode::differs_or_internal;
}

ExitCode exit_code(const Report &report) {
    const bool violated = report.tensor && report.tensor->bounds_violated;
    const bool inaccurate = report.tensor && report.tensor->fluxes_differ;
    return std::max({exit_code(report.stop), violated ? ExitCode::differs_or_internal : ExitCode::success,
                     inaccurate ? ExitCode::not_converged : ExitCode::success});
}

std::string outcome(const Report &report) {
    std::string text = describe(report.stop);
    if (report.tensor && report.tensor->fluxes_differ) {
        text += ", flows differ";
    }
    if (report.tensor && report.tensor->bounds_violated) {
        text += ", outside Wiener's bounds";
    }
    return text;
}

}  // namespace perdure
