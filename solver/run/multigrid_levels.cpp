#include "solver/run/multigrid_levels.hpp"

#include <algorithm>
#include <limits>

#include "solver/run/divider.hpp"

namespace perdure {
namespace {

/// Spacings within this factor of the smallest are halved together: afterwards they differ by no more again.
constexpr double most_anisotropy = 1.42;
/// Tiles that keep a large GPU busy; more of them are better than larger ones.
constexpr std::uint32_t enough_tiles = 256;

using Extents = std::array<std::uint32_t, 3>;

std::uint32_t product(const Extents &n) {
    return n[0] * n[1] * n[2];
}

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

/// Coarse cells of a tile along each axis, as many as the memory of a group holds, unless too few tiles were left for
/// the groups that share the work.
class TileChoice {
  public:
    TileChoice(const Extents &n, const Extents &halved) : n_(n), halved_(halved) {
        while (grow()) {
        }
    }
    [[nodiscard]] tile_t tile() const {
        const Extents count = tiles(cells_);
        const auto by = [](std::uint32_t divisor) { return make_divider(divisor); };
        return {{cells_[0], cells_[1], cells_[2]},
                product(count),
                by(count[0]),
                by(count[1]),
                by(cells_[0]),
                by(cells_[1]),
                by(coarse_slots(cells_, 0)),
                by(coarse_slots(cells_, 1)),
                by(fine_cells(cells_, 0)),
                by(fine_cells(cells_, 1)),
                by(fine_slots(cells_, 0)),
                by(fine_slots(cells_, 1))};
    }

  private:
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
    [[nodiscard]] std::uint32_t margins(int axis) const { return n_[axis] > 1 ? 2 : 0; }
    [[nodiscard]] std::uint32_t fine_cells(const Extents &cells, int axis) const {
        return (halved_[axis] != 0 ? 2 : 1) * cells[axis];
    }
    [[nodiscard]] std::uint32_t fine_slots(const Extents &cells, int axis) const {
        return fine_cells(cells, axis) + margins(axis);
    }
    [[nodiscard]] std::uint32_t coarse_slots(const Extents &cells, int axis) const {
        return cells[axis] + margins(axis);
    }
    [[nodiscard]] std::uint32_t values(const Extents &cells) const {
        return fine_slots(cells, 0) * fine_slots(cells, 1) * fine_slots(cells, 2);
    }
    [[nodiscard]] bool fits(const Extents &cells) const {
        return values(cells) <= TILE_VALUES &&
               coarse_slots(cells, 0) * fine_slots(cells, 1) * fine_slots(cells, 2) <= TILE_LINES;
    }
    bool grow() {
        std::array<int, 3> order{0, 1, 2};
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cells_[a] < cells_[b]; });
        for (const int axis : order) {
            Extents larger = cells_;
            larger[axis] *= 2;
            const bool useful = cells_[axis] < coarse(axis) && larger[axis] <= LONGEST_TILE;
            const bool busy = product(tiles(larger)) >= enough_tiles || values(cells_) < LANES ||
                              product(n_) <= one_group_cells;
            if (useful && fits(larger) && busy) {
                cells_ = larger;
                return true;
            }
        }
        return false;
    }

    Extents n_, halved_;
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

void place_coefficients(const FinestLevel &finest, const Extents &n, Arena &arena, level_entry_t &level) {
    level.diagonal = arena.take(level.grid.cells);
    level.inverse_diagonal = arena.take(level.grid.cells);
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        level.face[axis] = arena.take(level.grid.cells);
        if (!finest.periodic[axis]) {
            level.side[2 * axis] = arena.take(face_cells(n, axis));
            level.side[2 * axis + 1] = arena.take(face_cells(n, axis));
        }
    }
    level.b = arena.take(level.grid.cells);
}

void place_weights(const Extents &n, Arena &arena, level_entry_t &level) {
    Extents shape = n;
    for (int axis = 0; axis < 3; ++axis) {
        if (level.halved[axis] != 0) {
            level.weight[axis] = arena.take(level.grid.uniform != 0 ? n[axis] : product(shape));
            shape[axis] = (shape[axis] + 1) / 2;
        }
    }
}

}  // namespace

FinestLevel finest_level(const Config &config, bool uniform) {
    FinestLevel finest{config.grid.dimensions, config.grid.cells, config.grid.spacing, {}, uniform};
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        finest.periodic[axis] = config.sides[2 * axis].kind == SideKind::periodic;
    }
    return finest;
}

MultigridLevels make_levels(const FinestLevel &finest) {
    MultigridLevels made;
    Arena arena;
    Extents n{};
    for (int axis = 0; axis < 3; ++axis) {
        n[axis] = static_cast<std::uint32_t>(finest.cells[axis]);
    }
    std::array<double, 3> spacing = finest.spacing;
    std::uint64_t sides = 0;
    for (int side = 0; side < 2 * finest.dimensions; ++side) {
        made.hierarchy.level[0].side[side] = sides;
        made.side_cells[side] = finest.periodic[side / 2] ? 0 : finest.uniform ? 1 : face_cells(n, side / 2);
        sides += made.side_cells[side];
    }
    for (std::uint32_t number = 0; number < MOST_LEVELS; ++number) {
        level_entry_t &level = made.hierarchy.level[number];
        made.hierarchy.levels = number + 1;
        set_extents(finest, n, level.grid);
        level.grid.uniform = finest.uniform && number == 0 ? 1 : 0;
        if (number > 0) {
            place_coefficients(finest, n, arena, level);
        }
        level.u[0] = arena.take(level.grid.cells);
        level.u[1] = arena.take(level.grid.cells);
        const Extents halved = axes_to_halve(n, spacing);
        if (level.grid.cells <= COARSEST_CELLS ||
            product({halved[0] + 1, halved[1] + 1, halved[2] + 1}) == 1) {
            made.hierarchy.inverse = arena.take(std::uint64_t{level.grid.cells} * level.grid.cells);
            break;
        }
        level.tile = TileChoice(n, halved).tile();
        for (int axis = 0; axis < 3; ++axis) {
            level.halved[axis] = halved[axis];
        }
        place_weights(n, arena, level);
        for (int axis = 0; axis < 3; ++axis) {
            n[axis] = halved[axis] != 0 ? (n[axis] + 1) / 2 : n[axis];
            spacing[axis] *= halved[axis] != 0 ? 2.0 : 1.0;
        }
    }
    made.arena = arena.used();
    return made;
}

}  // namespace perdure
