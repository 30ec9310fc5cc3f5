#include "solver/run/multigrid_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "solver/run/boxes.hpp"
#include "solver/run/direct_level.hpp"
#include "solver/run/direct_steps.hpp"
#include "solver/run/divider.hpp"
#include "solver/run/level_shapes.hpp"
#include "solver/run/multigrid_networks.hpp"
#include "solver/run/multigrid_rooms.hpp"
#include "solver/run/multigrid_tile.hpp"

namespace perdure {
namespace {

/// Groups that share the work: two on each of the 132 units of an H100.
constexpr std::uint32_t enough_groups = 264;

void set_extents(const FinestLevel &finest, const Extents &n, run_parameters_t &grid) {
    grid.cells = product(n);
    grid.nx = n[0];
    grid.ny = n[1];
    grid.nz = n[2];
    grid.dimensions = static_cast<std::uint32_t>(finest.dimensions);
    grid.periodic_x = finest.periodic[0] ? 1 : 0;
    grid.periodic_y = finest.periodic[1] ? 1 : 0;
    grid.periodic_z = finest.periodic[2] ? 1 : 0;
    grid.row = make_divider(grid.nx);
    grid.layer = make_divider(grid.nx * grid.ny);
    set_boxes(choose_boxes({n[0], n[1], n[2]}, finest.dimensions), grid);
}

void place_operator(const FinestLevel &finest, Arena &arena, level_entry_t &level) {
    const bool tables = level.grid.uniform != 0;
    const std::uint64_t entries = tables ? PLACES : level.grid.cells;
    level.diagonal = arena.take(entries);
    level.inverse_diagonal = arena.take(entries);
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        level.face[axis] = arena.take(entries);
    }
}

void place_sides(const FinestLevel &finest, const Extents &n, Arena &arena, level_entry_t &level) {
    for (int side = 0; side < 2 * finest.dimensions; ++side) {
        if (!finest.periodic[side / 2]) {
            level.side[side] = arena.take(level.grid.uniform != 0 ? PLACES : face_cells(n, side / 2));
        }
    }
}

void place_weights(const Extents &n, Arena &arena, level_entry_t &level) {
    Extents shape = n;
    for (int axis = 2; axis >= 0; --axis) {
        if (level.halved[axis] != 0) {
            level.weight[axis] = arena.take(level.grid.uniform != 0 ? n[axis] : product(shape));
            shape[axis] = (shape[axis] + 1) / 2;
        }
    }
}

/// Entries of cycle_t in a vector of real_t.
std::uint64_t entries_lent(const FinestLevel &finest) {
    return std::uint64_t{product(extents_of(finest))} * (finest.precision == Precision::mixed ? 2 : 1);
}

/// The copies of u on level 0, in which networks lie during setup, and in vectors that are lent or beyond.
NetworkRooms place_copies(const FinestLevel &finest, const std::vector<LevelShape> &shapes,
                          std::uint32_t levels, Arena &arena, level_entry_t &level) {
    const std::uint64_t begin = arena.used();
    level.u[0] = arena.take(level.grid.cells);
    level.u[1] = finest.lends_for_cycles ? place_lent(LENT_BY_Q, 0) : arena.take(level.grid.cells);
    std::vector<VectorRoom> vectors;
    for (std::uint64_t lender = LENT_BY_Q; finest.lends_for_setup && lender <= LENDERS; ++lender) {
        vectors.push_back({place_lent(lender, 0), entries_lent(finest)});
    }
    const NetworkEntries needed = network_entries(finest, shapes, levels);
    if (finest.cuts.size() == 1) {
        vectors.insert(vectors.begin(),
                       {VectorRoom{level.u[0], level.grid.cells}, {level.u[1], level.grid.cells}});
        return NetworkRooms(finest.cuts.front(), vectors, needed.sides, arena);
    }
    const std::uint64_t there = arena.used() - begin;
    if (!finest.lends_for_setup) {
        arena.take(std::max(needed.all, there) - there);
    }
    vectors.insert(vectors.begin(), VectorRoom{begin, arena.used() - begin});
    return NetworkRooms(vectors);
}

/// While cycles work on other levels, q lends them what restriction of level 0 in two steps leaves of it.
std::vector<Room> rooms_of_cycles(const FinestLevel &finest, const level_entry_t &level) {
    if (!finest.lends_for_cycles) {
        return {};
    }
    const Extents n = extents_of(finest);
    const int last = finest.dimensions - 1;
    const std::uint64_t between =
        level.segment == 0 ? 0
                           : face_cells(n, last) * (level.halved[last] != 0 ? (n[last] + 1) / 2 : n[last]);
    const std::uint64_t begin = in_units(between), end = entries_lent(finest);
    return {{place_lent(LENT_BY_Q, begin), begin < end ? end - begin : 0}};
}

/// Lines of the level that is solved directly.
LevelLines lines_of(const FinestLevel &finest, const Extents &n, int axis, std::uint32_t groups) {
    constexpr std::uint32_t groups_of_host = 64;
    const std::uint32_t beside = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
    return {finest.lines[axis],
            n[axis],
            product(n) / n[axis],
            beside,
            axis != 0,
            finest.gpu ? groups : std::min(groups, groups_of_host),
            finest.line_values};
}

void place_lines(lines_t &lines, MultigridLevels &made, Arena &tables) {
    made.values_in_group = std::max(made.values_in_group, values_in_group(lines));
    for (std::uint32_t number = 0; number < lines.passes; ++number) {
        lines.pass[number].turns = tables.take(turns_of_pass(lines.pass[number]));
    }
    lines.turns = tables.take(turns_of_modes(lines));
    lines.places = made.places;
    made.places += places_of(lines);
}

void place_modes(const FinestLevel &finest, const Extents &n, std::uint32_t groups, Arena &tables,
                 Arena &arena, MultigridLevels &made) {
    hierarchy_t &hierarchy = made.hierarchy;
    std::uint32_t waves = 0;
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        lines_t &lines = hierarchy.lines[axis];
        lines = plan_lines(lines_of(finest, n, axis, groups));
        hierarchy.eigenvalues[axis] = tables.take(n[axis]);
        if (lines.kind != LINES_OTHER) {
            place_lines(lines, made, tables);
            continue;
        }
        hierarchy.modes[axis] = arena.take(2 * std::uint64_t{n[axis]} * n[axis]);
        hierarchy.waves[axis] = waves;
        waves += n[axis];
    }
}

}  // namespace

MultigridLevels make_levels(FinestLevel finest) {
    MultigridLevels made;
    const bool rounded = finest.precision == Precision::mixed;  // then it has operator and b of its own
    made.hierarchy.rounded = rounded ? 1 : 0;
    Arena arena;
    Arena tables;
    const std::vector<LevelShape> shapes = level_shapes(finest);
    const std::optional<std::uint32_t> direct = direct_level(finest, shapes);
    made.hierarchy.levels = direct ? *direct + 1 : static_cast<std::uint32_t>(shapes.size());
    made.hierarchy.transformed = direct ? 1 : 0;
    if (made.hierarchy.levels == 1) {
        finest.lends_for_setup = finest.lends_for_cycles = false;
    }
    const std::uint32_t groups =
        std::min(enough_groups, chunks_of(choose_boxes(finest.cells, finest.dimensions)));
    for (int side = 0; side < 2 * finest.dimensions; ++side) {
        made.side_cells[side] = finest.periodic[side / 2] ? 0
                                : finest.uniform          ? PLACES
                                                          : face_cells(shapes[0].cells, side / 2);
        made.hierarchy.level[0].side[side] = tables.take(made.side_cells[side]);
    }
    std::optional<NetworkRooms> rooms_of_setup;
    std::vector<Room> rooms;
    for (std::uint32_t number = 0; number < made.hierarchy.levels; ++number) {
        const auto &[n, halved, alike] = shapes[number];
        level_entry_t &level = made.hierarchy.level[number];
        set_extents(finest, n, level.grid);
        level.grid.uniform = alike ? 1 : 0;
        Arena &coefficients = alike ? tables : arena;
        if (number > 0 || rounded) {
            if (number == 0 && finest.by_labels) {
                level.inverse_diagonal = finest.has_kinds ? 0 : arena.take(level.grid.cells);
            } else {
                place_operator(finest, coefficients, level);
            }
            level.b = take_from(rooms, level.grid.cells, arena);
        }
        if (number > 0) {
            place_sides(finest, n, coefficients, level);
        }
        const bool last = number + 1 == made.hierarchy.levels;
        if (last && direct) {
            place_modes(finest, n, groups, tables, arena, made);
        }
        const bool one_copy = last && direct && !has_products(made.hierarchy);
        if (number == 0 && !one_copy) {
            rooms_of_setup.emplace(place_copies(finest, shapes, made.hierarchy.levels, arena, level));
        } else {
            level.u[0] = take_from(rooms, level.grid.cells, arena);
            level.u[1] = one_copy ? level.u[0] : take_from(rooms, level.grid.cells, arena);
        }
        if (last) {
            if (!direct) {
                made.hierarchy.inverse =
                    coefficients.take(std::uint64_t{level.grid.cells} * level.grid.cells);
            }
            break;
        }
        if (shapes[number + 1].alike) {
            place_networks_in_tables(finest, shapes[number], tables, level);
        } else {
            place_networks(finest, shapes[number], *rooms_of_setup, arena, level);
        }
        level.tile = choose_tile(finest.dimensions, n, halved, groups);
        level.segment = alike ? 0 : choose_segment(finest.dimensions, n, halved, groups);
        level.apart = !finest.cuts.empty() && halved[finest.dimensions - 1] != 0 ? 2 : 1;
        for (int axis = 0; axis < 3; ++axis) {
            level.halved[axis] = halved[axis];
        }
        place_weights(n, coefficients, level);
        if (number == 0) {
            rooms = rooms_of_cycles(finest, level);
        }
    }
    made.arena = arena.used();
    made.arena_places = arena.places();
    made.tables = tables.used();
    return made;
}

}  // namespace perdure
