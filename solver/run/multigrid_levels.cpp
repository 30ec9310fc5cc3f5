#include "solver/run/multigrid_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "solver/run/boxes.hpp"
#include "solver/run/direct_level.hpp"
#include "solver/run/divider.hpp"

namespace perdure {
namespace {

/// Spacings within this factor of the smallest are halved together: afterwards they differ by no more again.
constexpr double most_anisotropy = 1.42;
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

/// Axes to halve; none when there is nothing left to halve.
Extents axes_to_halve(const Extents &n, const std::array<double, 3> &spacing) {
    double smallest = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] > 1) {
            smallest = std::min(smallest, spacing[axis]);
        }
    }
    Extents halved{};
    for (int axis = 0; axis < 3; ++axis) {
        halved[axis] = n[axis] > 1 && spacing[axis] <= most_anisotropy * smallest ? 1 : 0;
    }
    return halved;
}

/// All levels down to COARSEST_CELLS.
std::vector<LevelShape> level_shapes(const FinestLevel &finest) {
    std::vector<LevelShape> shapes;
    LevelShape shape{{}, {}, finest.uniform};
    for (int axis = 0; axis < 3; ++axis) {
        shape.cells[axis] = static_cast<std::uint32_t>(finest.cells[axis]);
    }
    std::array<double, 3> spacing = finest.spacing;
    for (std::uint32_t number = 0; number < MOST_LEVELS; ++number) {
        Extents &n = shape.cells;
        shape.halved = axes_to_halve(n, spacing);
        const bool last = product(n) <= COARSEST_CELLS ||
                          product({shape.halved[0] + 1, shape.halved[1] + 1, shape.halved[2] + 1}) == 1;
        shapes.push_back(shape);
        if (last) {
            break;
        }
        for (int axis = 0; axis < 3; ++axis) {
            shape.alike = shape.alike && (shape.halved[axis] == 0 || n[axis] % 2 == 0);
            n[axis] = shape.halved[axis] != 0 ? (n[axis] + 1) / 2 : n[axis];
            spacing[axis] *= shape.halved[axis] != 0 ? 2.0 : 1.0;
        }
    }
    return shapes;
}

/// Coarse cells of a tile: along x, across and along its columns (kernels/multigrid/transfer.h). Of all tiles that fit,
/// those by which groups are through first, each group with one tile after the other and each item with one column.
class TileChoice {
  public:
    TileChoice(int dimensions, const Extents &n, const Extents &halved, std::uint32_t groups)
        : last_(dimensions - 1), n_(columns_last(n)), halved_(columns_last(halved)) {
        n_[1] = dimensions == 3 ? n_[1] : 1;
        groups_ = product(n) <= one_group_cells ? 1 : groups;
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t x = 1; x <= coarse(0) && fits({x, 1, 1}); ++x) {
            for (std::uint32_t y = 1; y <= coarse(1) && fits({x, y, 1}); ++y) {
                for (std::uint32_t z = 1; z <= coarse(2) && fits({x, y, z}); ++z) {
                    if (cost({x, y, z}) < least) {
                        least = cost({x, y, z});
                        cells_ = {x, y, z};
                    }
                }
            }
        }
    }
    [[nodiscard]] tile_t tile() const {
        const Extents count = tiles(cells_);
        return {{cells_[0], cells_[1], cells_[2]},
                product(count),
                make_divider(count[0]),
                make_divider(count[1]),
                make_divider(slots(cells_, 0)),
                make_divider(cells_[0]),
                make_divider(cells_[1])};
    }

  private:
    [[nodiscard]] Extents columns_last(const Extents &n) const {
        return {n[0], last_ == 2 ? n[1] : 0, n[last_]};
    }
    [[nodiscard]] std::uint32_t coarse(int axis) const {
        return halved_[axis] != 0 ? (n_[axis] + 1) / 2 : n_[axis];
    }
    [[nodiscard]] Extents tiles(const Extents &cells) const {
        Extents count{};
        for (int axis = 0; axis < 3; ++axis) {
            count[axis] = (coarse(axis) + cells[axis] - 1) / cells[axis];
        }
        return count;
    }
    /// One more cell at each end where a stencil or an interpolation reaches.
    [[nodiscard]] std::uint32_t slots(const Extents &cells, int axis) const {
        return (halved_[axis] != 0 ? 2 : 1) * cells[axis] + (n_[axis] > 1 ? 2 : 0);
    }
    [[nodiscard]] std::uint32_t columns(const Extents &cells) const {
        return slots(cells, 0) * slots(cells, 1);
    }
    [[nodiscard]] bool fits(const Extents &cells) const {
        return columns(cells) <= LANES && columns(cells) * cells[2] <= TILE_VALUES;
    }
    /// Of the group with most tiles: each begins with `start` planes of waiting, and a plane takes what the waiting for
    /// memory takes, as long as `waiting` columns, or more with more columns; a row of one also loads beyond its ends.
    [[nodiscard]] double cost(const Extents &cells) const {
        constexpr double start = 3.0, waiting = 128.0, beyond = 4.0;
        const double each = std::ceil(static_cast<double>(product(tiles(cells))) / groups_);
        const double width = slots(cells, 0) + beyond;
        return each * (slots(cells, 2) + start) * (waiting + width * slots(cells, 1));
    }

    int last_;
    Extents n_, halved_;
    std::uint32_t groups_ = 1;
    Extents cells_{1, 1, 1};
};

/// Hands out the arena, in units of 32 entries so that fields begin on lines of memory.
class Arena {
  public:
    std::uint64_t take(std::uint64_t entries) {
        const std::uint64_t place = used_;
        used_ += (entries + 31) / 32 * 32;
        return place;
    }
    [[nodiscard]] std::uint64_t used() const { return used_; }

  private:
    std::uint64_t used_ = 0;
};

std::uint64_t face_cells(const Extents &n, int axis) {
    return std::uint64_t{product(n)} / n[axis];
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

void place_modes(const Extents &n, Arena &tables, Arena &arena, hierarchy_t &hierarchy) {
    std::uint32_t waves = 0;
    for (int axis = 0; axis < 3; ++axis) {
        hierarchy.eigenvalues[axis] = tables.take(n[axis]);
        hierarchy.modes[axis] = arena.take(2 * std::uint64_t{n[axis]} * n[axis]);
        hierarchy.waves[axis] = waves;
        waves += n[axis];
    }
}

}  // namespace

MultigridLevels make_levels(const FinestLevel &finest) {
    MultigridLevels made;
    const bool rounded = finest.precision == Precision::mixed;  // then it has operator and b of its own
    made.hierarchy.rounded = rounded ? 1 : 0;
    Arena arena;
    Arena tables;
    const std::vector<LevelShape> shapes = level_shapes(finest);
    const std::optional<std::uint32_t> direct = direct_level(finest, shapes);
    made.hierarchy.levels = direct ? *direct + 1 : static_cast<std::uint32_t>(shapes.size());
    made.hierarchy.transformed = direct ? 1 : 0;
    const std::uint32_t groups =
        std::min(enough_groups, chunks_of(choose_boxes(finest.cells, finest.dimensions)));
    for (int side = 0; side < 2 * finest.dimensions; ++side) {
        made.side_cells[side] = finest.periodic[side / 2] ? 0
                                : finest.uniform          ? PLACES
                                                          : face_cells(shapes[0].cells, side / 2);
        made.hierarchy.level[0].side[side] = tables.take(made.side_cells[side]);
    }
    for (std::uint32_t number = 0; number < made.hierarchy.levels; ++number) {
        const auto &[n, halved, alike] = shapes[number];
        level_entry_t &level = made.hierarchy.level[number];
        set_extents(finest, n, level.grid);
        level.grid.uniform = alike ? 1 : 0;
        Arena &coefficients = alike ? tables : arena;
        if (number > 0 || rounded) {
            place_operator(finest, coefficients, level);
            level.b = arena.take(level.grid.cells);
        }
        if (number > 0) {
            place_sides(finest, n, coefficients, level);
        }
        level.u[0] = arena.take(level.grid.cells);
        level.u[1] = arena.take(level.grid.cells);
        if (number + 1 == made.hierarchy.levels) {
            if (direct) {
                place_modes(n, tables, arena, made.hierarchy);
            } else {
                made.hierarchy.inverse =
                    coefficients.take(std::uint64_t{level.grid.cells} * level.grid.cells);
            }
            break;
        }
        level.tile = TileChoice(finest.dimensions, n, halved, groups).tile();
        for (int axis = 0; axis < 3; ++axis) {
            level.halved[axis] = halved[axis];
        }
        place_weights(n, coefficients, level);
    }
    made.arena = arena.used();
    made.tables = tables.used();
    return made;
}

}  // namespace perdure
