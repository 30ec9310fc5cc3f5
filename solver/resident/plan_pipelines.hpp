// Plans temporally blocked stepping in 2D by pipelines of warps.
#pragma once

#include "solver/resident/plan_resident.hpp"

namespace perdure {

/// Completes `plan`, or states in `plan.refused` why no pipeline fits the device. `plan.depth` is 1 if all steps are advanced by
/// phases.
void plan_pipelines(const Config &config, const ResidentDevice &device, ResidentPlan &plan);

}  // namespace perdure
