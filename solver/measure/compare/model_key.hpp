// The key under which the times of execution models are kept.
#pragma once

#include <vector>

#include "solver/measure/compare/model_cache.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::compare {

/// The models that a device can run.
std::vector<ExecutionModel> models_there(const DeviceDescription &device);

/// Everything that the times of a case depend on.
ModelKey key_of(const PreparedCase &prepared);

}  // namespace perdure::compare
