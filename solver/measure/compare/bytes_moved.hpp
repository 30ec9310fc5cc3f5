// The properties of a case that determine how much memory an iteration must move.
#pragma once

#include "kernels/common.h"
#include "solver/case_file/config.hpp"
#include "solver/methods/values_moved.hpp"

namespace perdure::compare {

/// `hierarchy`: of methods that have cycles, else null. `by_labels`: LaunchPlan::by_labels.
ProblemTraits traits_of(const run_parameters_t &parameters, const Config &config,
                        const hierarchy_t *hierarchy, bool by_labels);

}  // namespace perdure::compare
