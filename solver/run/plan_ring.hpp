// Plans how many snapshots are buffered on the device during the single launch of a run: kernels/snapshot_ring.h.
#pragma once

#include "solver/run/plan_launch.hpp"

namespace perdure {

inline constexpr std::uint32_t least_ring_slots = 2, most_ring_slots = 4;

/// Why a run of the plan with snapshots before its end is a launch from each to the next; empty: it is one launch.
std::string why_no_ring(const DeviceDescription &device, const LaunchPlan &plan);

/// Whether a run in time writes anything before its end.
bool has_snapshots_before_the_end(const Config &config);

/// Sets ring_slots, where the run has snapshots before its end and can have a ring, and counts its memory in. Throws Failure(device)
/// where no two slots fit beside the fields.
void plan_ring(const Config &config, const DeviceDescription &device, LaunchPlan &plan);

}  // namespace perdure
