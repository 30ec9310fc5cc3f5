#include "solver/backends/host/rank_setup.hpp"

#include <array>

namespace perdure::host {
namespace {

using Extents = std::array<std::uint32_t, 3>;

/// Of a level with those of the axes from `first_halved` on halved that the next level has halved.
Extents extents(const level_entry_t &level, std::uint32_t first_halved) {
    Extents n{level.grid.nx, level.grid.ny, level.grid.nz};
    for (std::uint32_t axis = first_halved; axis < 3; ++axis) {
        n[axis] = level.halved[axis] != 0 ? (n[axis] + 1) / 2 : n[axis];
    }
    return n;
}

std::uint32_t halvings(const level_entry_t &level, std::uint32_t first_halved) {
    std::uint32_t count = 0;
    for (std::uint32_t axis = first_halved; axis < 3; ++axis) {
        count += level.halved[axis];
    }
    return count;
}

class Lister {
  public:
    Lister(const run_parameters_t &grid, const Extents &n)
        : periodic_{grid.periodic_x, grid.periodic_y, grid.periodic_z},
          dimensions_(grid.dimensions),
          planes_(n[grid.dimensions - 1]),
          plane_entries_(n[0] * n[1] * n[2] / planes_),
          n_(n) {}

    void add_cells(std::uint64_t begin) {
        list_.push_back({begin, planes_, plane_entries_, MadeInSetup::By::planes});
    }
    /// An entry for each cell beside a side, x-, x+, y- and so on.
    void add_sides(const std::uint64_t *begin) {
        for (std::uint32_t side = 0; side < 2 * dimensions_; ++side) {
            const std::uint32_t axis = side / 2;
            if (periodic_[axis] != 0) {
                continue;
            }
            if (axis + 1 < dimensions_) {
                list_.push_back({begin[side], planes_, plane_entries_ / n_[axis], MadeInSetup::By::planes});
            } else {
                list_.push_back({begin[side], planes_, plane_entries_,
                                 side % 2 == 0 ? MadeInSetup::By::first : MadeInSetup::By::last});
            }
        }
    }
    [[nodiscard]] const std::vector<MadeInSetup> &list() const { return list_; }

  private:
    Extents periodic_;
    std::uint32_t dimensions_, planes_, plane_entries_;
    Extents n_;
    std::vector<MadeInSetup> list_;
};

}  // namespace

std::vector<MadeInSetup> made_in_setup(const hierarchy_t &hierarchy, std::uint32_t operation,
                                       std::uint32_t number, std::uint32_t axis) {
    const level_entry_t &level = hierarchy.level[number], &next = hierarchy.level[number + 1];
    if (operation == STEP_WEIGH) {
        Lister lister(level.grid, extents(level, axis + 1));
        if (level.grid.uniform == 0) {
            lister.add_cells(level.weight[axis]);
        }
        return lister.list();
    }
    if (operation == STEP_DIAGONAL) {
        Lister lister(level.grid, extents(level, 0));
        lister.add_cells(next.diagonal);
        lister.add_cells(next.inverse_diagonal);
        return lister.list();
    }
    Lister lister(level.grid, extents(level, axis));
    const bool is_next = halvings(level, axis) == halvings(level, 0);
    const network_entry_t &halfway = level.halfway[is_next ? 0 : halvings(level, axis) - 1];
    lister.add_cells(is_next ? next.diagonal : halfway.own);
    for (std::uint32_t k = 0; k < level.grid.dimensions; ++k) {
        lister.add_cells(is_next ? next.face[k] : halfway.face[k]);
    }
    lister.add_sides(is_next ? next.side : halfway.side);
    return lister.list();
}

}  // namespace perdure::host
