// The snapshots that a run goes on from.
#pragma once

#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Those of a checkpoint with their paths in `name.partial/`. Looks into each, so that damage is told before the run and not by the result
/// that cannot be made at its end. Throws Failure(bad_input) where one is missing or damaged.
std::vector<Snapshot> find_kept_snapshots(const Config &config, const Grid &grid,
                                          const std::vector<Snapshot> &kept);

}  // namespace perdure
