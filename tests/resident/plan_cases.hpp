// Devices that need not exist, and cases for plans of resident runs on them.
#pragma once

#include <gtest/gtest.h>

#include "solver/resident/plan_resident.hpp"

namespace perdure::tests {

inline const ResidentDevice h100{132, 65536, 2048, 232448, ""};
inline const ResidentDevice mig_slice{16, 65536, 2048, 232448, ""};
inline const ResidentDevice desktop{10, 65536, 1536, 101376, ""};
inline const ResidentDevice old_card{20, 65536, 1024, 65536, ""};

inline Config heat_case(std::int64_t nx, std::int64_t ny, Precision precision = Precision::float64) {
    Config config;
    config.type = ProblemType::heat;
    config.a.number = 1.0;
    config.grid.cells = {nx, ny, 1};
    config.execution.precision = precision;
    return config;
}

}  // namespace perdure::tests
