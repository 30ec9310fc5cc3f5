// The weights of the sweeps of a cycle.
#pragma once

#include <vector>

#include "solver/case_file/config.hpp"

namespace perdure {

/// In the order of sweeps before the correction; those behind it have the same.
std::vector<double> sweep_weights(const MultigridConfig &options);

}  // namespace perdure
