// The levels of a multigrid hierarchy: which axes are halved, and where everything lies in the arena.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/common.h"
#include "solver/case_file/config.hpp"

namespace perdure {

/// Levels of up to so many cells are left to one group, which saves their synchronisations.
inline constexpr std::uint32_t one_group_cells = 512;

/// What a hierarchy depends on besides the options of the cycle.
struct FinestLevel {
    int dimensions = 2;
    std::array<std::int64_t, 3> cells{1, 1, 1};
    std::array<double, 3> spacing{1.0, 1.0, 1.0};
    std::array<bool, 3> periodic{};
    bool uniform = false;
    Precision precision = Precision::float64;
    bool gpu = true;
    int direct_level = MultigridConfig::automatic;
    TextPosition direct_level_position{};
};

/// `of`: the config, or the problem that was made of it.
template <typename Described>
FinestLevel finest_level(const Described &of, const Config &config, bool uniform, bool gpu) {
    FinestLevel finest{of.grid.dimensions,
                       of.grid.cells,
                       of.grid.spacing,
                       {},
                       uniform,
                       config.execution.precision,
                       gpu,
                       config.solver.multigrid.direct_level,
                       config.solver.multigrid.direct_level_position};
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        finest.periodic[axis] = of.sides[2 * axis].kind == SideKind::periodic;
    }
    return finest;
}

struct MultigridLevels {
    hierarchy_t hierarchy{};
    std::uint64_t arena = 0;                    // entries
    std::uint64_t tables = 0;                   // entries that the host fills
    std::array<std::uint64_t, 6> side_cells{};  // conductances of each side of the finest level
};

/// Halves the axes along which cells are coupled most, until COARSEST_CELLS are left or a level is solved directly. Axes
/// whose spacing is more than 1.42 times the smallest wait for the others. Throws Failure (case_or_usage) where the level
/// that is to be solved directly is none that can be.
MultigridLevels make_levels(const FinestLevel &finest);

}  // namespace perdure
