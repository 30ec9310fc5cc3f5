// The name of the kernel that a plan launches.
#pragma once

#include <string>

#include <fmt/format.h>

#include "solver/run/plan_launch.hpp"

namespace perdure {

/// Resident kernels of conjugate gradients come in forms, which the plan alone cannot tell.
inline std::string kernel_form(const LaunchPlan &plan, const run_parameters_t &parameters) {
    if (!plan.resident.conjugate_gradients) {
        return plan.launched;
    }
    const cg_plan_t &cg = plan.resident.cg;
    const std::string kind =
        fmt::format("{}_{}", plan.launched, parameters.uniform != 0 ? "uniform" : "variable");
    return plan.resident.regime == ResidentRegime::through_memory
               ? fmt::format("{}_{}_{}", kind, cg.items, cg.cells)
               : fmt::format("{}_{}{}{}", kind, cg.cells, cg.x_on_chip != 0 ? "" : "_anew",
                             cg.full != 0 && parameters.uniform != 0 ? "_full" : "");
}

}  // namespace perdure
