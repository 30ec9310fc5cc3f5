// Chooses the grid barrier of a persistent launch.
#pragma once

#include "solver/run/plan_launch.hpp"

namespace perdure {

/// BARRIER_... of sync/grid_barrier.h; group_leader for automatic.
std::uint32_t barrier_kind(BarrierChoice barrier);

/// Throws Failure(case_or_usage) when the device lacks the barrier that the case names, or cannot run it in
/// groups of that size.
void check_barrier(const Config &config, const DeviceDescription &device, int group_size);

/// Settles plan.barrier of a persistent launch: the one that the case names, once it has passed the self-test
/// in the shape of the plan, or the fastest of those with bounded waits, measured in that shape. A kind
/// displaces group_leader only where it is faster by a tenth. Throws Failure(device), with what was seen of each,
/// when the barrier asked for fails, or every one of them.
void choose_barrier(const Config &config, Device &device, LaunchPlan &plan);

}  // namespace perdure
