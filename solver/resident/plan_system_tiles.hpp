// Plans resident runs of systems of equations: tiles in shared memory, several steps per pass.
#pragma once

#include "solver/resident/plan_resident.hpp"

namespace perdure {

/// Plans explicit Euler steps of config.formulas in tiles (kernels/resident/system_tiles_2d.h): the tile and the steps of a pass that are
/// expected to take the least time. Depends only on the case and on the device.
ResidentPlan plan_system_tiles(const Config &config, const ResidentDevice &device);

}  // namespace perdure
