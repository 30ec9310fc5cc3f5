// Which boxes a resident run of conjugate gradients is cut into.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/resident/cg_plan.h"
#include "solver/resident/plan_resident.hpp"

namespace perdure {

/// What a device offers one launch.
struct ChipCapacity {
    int groups = 0;                 // that are resident at once, one a multiprocessor
    std::int64_t shared_bytes = 0;  // of a group
};

/// The boxes that take least time, or none where the grid does not fit on the chip. `cells` along x, y, z. uniform: full boxes have kernels of their own.
std::optional<cg_plan_t> cut_into_boxes(const std::array<std::int64_t, 3> &cells, int dimensions,
                                        std::int64_t real_bytes, const ChipCapacity &chip, bool uniform);

/// Decides by the case and what the device offers alone.
ResidentPlan plan_resident_cg(const Config &config, const ResidentDevice &device);

/// The plan of a run that streams: in tiles as large as the device has room for, over as many groups as finish
/// first. Refused where none fit, or where the phases are expected to take less.
void stream_cg(const Config &config, const ResidentDevice &device, ResidentPlan &plan);

/// That an iteration of a streamed run reads and writes of a cell.
int streamed_cg_values(int dimensions, bool variable);

/// "on the chip, boxes of 1 x 64 x 128 cells, 16 cells an item, x on the chip, one synchronisation an iteration"
std::string describe_cg(const ResidentPlan &plan);

}  // namespace perdure
