// Imaginary devices, and cases for plans of resident runs on them.
#pragma once

#include <gtest/gtest.h>

#include <vector>

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

/// Expects each case, ordered by grid size, to take longer than the one before, in both precisions, and no plan to exceed the
/// device's shared memory.
inline void expect_longer_steps(const std::vector<Config> &by_size, const ResidentDevice &device) {
    for (const Precision precision : {Precision::float64, Precision::float32}) {
        double of_smaller = 0.0;
        for (Config config : by_size) {
            config.execution.precision = precision;
            const ResidentPlan plan = plan_resident(config, device);
            ASSERT_EQ(plan.refused, "");
            EXPECT_GT(plan.step_seconds, of_smaller) << config.grid.cells[0] << ": " << describe(plan);
            EXPECT_LE(plan.resident_bytes,
                      device.units * (4 * device.registers_per_unit + device.shared_bytes_per_group))
                << describe(plan);
            EXPECT_LE(plan.shared_bytes, device.shared_bytes_per_group) << describe(plan);
            of_smaller = plan.step_seconds;
        }
    }
}

}  // namespace perdure::tests
