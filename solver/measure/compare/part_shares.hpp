// How the time of an instrumented run is distributed over its parts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/case_file/config.hpp"

namespace perdure::compare {

/// Fractions of the time by the host's clock; they add up to 1. `barrier`: from a group's arrival at the end
/// of a phase until it goes on with the next one - in a grid barrier, or across the edge of two launches.
/// `host`: what lies outside all that: launching, waiting for the end, looking at the state.
struct PartShares {
    double stencil = 0.0, reduction = 0.0, barrier = 0.0, host = 0.0;
    double seconds = 0.0;  // per iteration of the instrumented run
};

/// From the words that the groups of one run kept (kernels/part_times.h), means over the groups. `seconds`:
/// the whole run by the host's clock. All 0 where no clock ran.
PartShares part_shares(const std::vector<std::uint64_t> &times, ExecutionModel model, double seconds);

}  // namespace perdure::compare
