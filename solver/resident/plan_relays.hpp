// Relays of warps: the form of the streamed regime in two dimensions.
#pragma once

#include "solver/resident/plan_resident.hpp"

namespace perdure {

/// Completes `plan`, or says in `plan.refused` why the device holds no relay. `plan.depth` is 1 where all steps are made by phases.
void plan_relays(const Config &config, const ResidentDevice &device, ResidentPlan &plan);

}  // namespace perdure
