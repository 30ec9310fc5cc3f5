// Implements the interface through which runs use the measuring tools.
#pragma once

#include "solver/run/measurements.hpp"

namespace perdure {

/// Measures on the case's own device; `model: auto` keeps its times in the user's cache.
Measurements measurements();

}  // namespace perdure
