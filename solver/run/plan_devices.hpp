// Checks whether devices can share a case: each needs a part of the grid, and groups.
#pragma once

#include <string>

#include "solver/case_file/config.hpp"
#include "solver/resident/plan_resident.hpp"
#include "solver/run/boxes.hpp"

namespace perdure {

/// Throws Failure(case_or_usage) at execution.devices where the grid has fewer parts than `devices`.
void check_devices(const Config &config, int devices, const Boxes &boxes);

/// Why the resident kernel cannot run on so many devices at once with `groups` groups; empty: it can, or there is one.
std::string why_not_on_devices(const Config &config, int devices, const Boxes &boxes,
                               const ResidentPlan &plan, int groups);

}  // namespace perdure
