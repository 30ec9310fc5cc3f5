// The levels of a multigrid hierarchy: which axes are halved, and where everything lies in the arena.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/common.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/case_file/config.hpp"
#include "solver/run/boxes.hpp"
#include "solver/run/fast_transform_tables.hpp"
#include "solver/run/multigrid_rooms.hpp"

namespace perdure {

/// Levels of up to so many cells are left to one group, which saves their synchronisations.
inline constexpr std::uint32_t one_group_cells = 512;

/// What a hierarchy depends on of the device.
struct CycleDevice {
    bool gpu = true;
    std::int64_t line_values = 0;  // that a group has room for (DeviceDescription)
};

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
    std::int64_t line_values = 0;
    std::array<std::uint32_t, 3> lines{};  // LINES_... along each axis
    bool by_labels = false;                // level 0 (kernels/labels.h)
    bool has_kinds = false;                // and tables of inverse diagonals
    bool lends_for_setup = false;          // vectors of the run (solver/run/multigrid_rooms.hpp)
    bool lends_for_cycles = false;
    std::vector<double> cuts{};  // of the last axis between devices that share the grid
};

/// `grid` and `sides`: those of the config, or of a field of the problem that was made of it.
template <typename AnyGrid, typename AnySide>
FinestLevel finest_level(const AnyGrid &grid, const std::array<AnySide, 6> &sides, const Config &config,
                         bool uniform, const CycleDevice &device) {
    FinestLevel finest{grid.dimensions,
                       grid.cells,
                       grid.spacing,
                       {},
                       uniform,
                       config.execution.precision,
                       device.gpu,
                       config.solver.multigrid.direct_level,
                       config.solver.multigrid.direct_level_position,
                       device.line_values,
                       {}};
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        finest.periodic[axis] = is_periodic(sides, axis);
        finest.lines[axis] = lines_between(type_of(sides[2 * axis]), type_of(sides[2 * axis + 1]));
    }
    finest.lends_for_setup = lends_for_setup(config);
    finest.lends_for_cycles = lends_for_cycles(config);
    finest.cuts =
        cuts_between(config.execution.devices, choose_boxes(grid.cells, grid.dimensions), grid.cells);
    return finest;
}

struct MultigridLevels {
    hierarchy_t hierarchy{};
    std::uint64_t arena = 0;                    // entries
    std::vector<std::uint64_t> arena_places;    // at which arrays in it begin
    std::uint64_t tables = 0;                   // entries that the host fills
    std::uint64_t places = 0;                   // entries, too
    std::uint32_t values_in_group = 0;          // that lines have in a group's memory
    std::array<std::uint64_t, 6> side_cells{};  // conductances of each side of the finest level
};

/// Halves the axes along which cells are coupled most, until COARSEST_CELLS are left or a level is solved directly. Axes
/// whose spacing is more than 1.42 times the smallest wait for the others. Throws Failure (case_or_usage) where the level
/// that is to be solved directly is none that can be.
MultigridLevels make_levels(FinestLevel finest);

}  // namespace perdure
