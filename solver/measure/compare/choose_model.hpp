// execution.model: auto measures the execution models and chooses the fastest one.
#pragma once

#include <filesystem>

#include "solver/run/run_case.hpp"

namespace perdure::compare {

/// Settles the model of a case that leaves it to us, and its plan: the one that is fastest on its device, as a short calibration on
/// the case itself finds, or has found earlier and kept in `cache` (model_cache.hpp). Of models within 2 % of each other the first of
/// execution_models is taken. `prepared.model_choice` then says what was taken and why. A resident kernel that is not compiled yet
/// takes part where the run by phases would last more than twice as long as compiling it. What is wrong with the cache becomes a
/// warning. Does nothing for a case that names its model.
void choose_model(PreparedCase &prepared, const std::filesystem::path &cache);

}  // namespace perdure::compare
