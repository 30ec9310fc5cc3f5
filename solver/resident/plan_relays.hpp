// Relays of warps, the form of the streamed regime for coefficients that differ from cell to cell in two dimensions.
#pragma once

#include "solver/resident/plan_resident.hpp"

namespace perdure {

/// True where relays take the case: `plan` is then complete. Else single warps do: coefficients are numbers, sources change from
/// step to step, or the device lacks room for one relay.
bool plan_relays(const Config &config, const ResidentDevice &device, ResidentPlan &plan);

}  // namespace perdure
