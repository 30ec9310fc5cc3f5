// What a step of the setup of a multigrid hierarchy makes of a level, where each rank makes a part of it: kernels/multigrid/setup.h.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/multigrid/hierarchy.h"

namespace perdure::host {

/// An array of the arena.
struct MadeInSetup {
    /// Who makes it: each rank its planes of the last axis, or of an array of one plane the rank that has the first or the last one.
    enum class By { planes, first, last };
    std::uint64_t begin;  // its first entry in the arena
    std::uint32_t planes, plane_entries;
    By by;
};

/// By STEP_WEIGH, STEP_HALVE or STEP_DIAGONAL on level `number`; none where coefficients are tables.
std::vector<MadeInSetup> made_in_setup(const hierarchy_t &hierarchy, std::uint32_t operation,
                                       std::uint32_t number, std::uint32_t axis);

}  // namespace perdure::host
