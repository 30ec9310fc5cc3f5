// Plans resident runs of conjugate gradients: boxes on the chip, or tiles through which groups sweep.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/resident/cg_plan.h"
#include "solver/resident/plan_resident.hpp"

namespace perdure {

/// What a device offers to one launch.
struct ChipCapacity {
    int groups = 0;                 // resident at once, one on each multiprocessor
    std::int64_t shared_bytes = 0;  // of a group
};

/// Returns the boxes that take the least time, or nothing if the grid does not fit on the chip. cells: along x, y, z. uniform:
/// full boxes have kernels of their own.
std::optional<cg_plan_t> cut_into_boxes(const std::array<std::int64_t, 3> &cells, int dimensions,
                                        std::int64_t real_bytes, const ChipCapacity &chip, bool uniform);

/// Plans a run; depends only on the case and on the device.
ResidentPlan plan_resident_cg(const Config &config, const ResidentDevice &device);

/// Plans a streamed run: the largest tiles that the device has room for, and the number of groups that finishes first. Sets
/// plan.refused if no tile fits, or if phases are expected to be faster.
void plan_streamed_cg(const Config &config, const ResidentDevice &device, ResidentPlan &plan);

/// Returns the number of values that an iteration of a streamed run reads and writes for each cell.
int streamed_cg_values(int dimensions, bool variable);

/// "vectors on chip, boxes of 1 x 64 x 128 cells, 16 cells an item, x on the chip, one synchronisation an iteration, ..."
std::string describe_cg(const ResidentPlan &plan);

}  // namespace perdure
