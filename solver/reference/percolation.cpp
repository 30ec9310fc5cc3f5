#include "solver/reference/percolation.hpp"

#include <array>

namespace perdure::reference {
namespace {

using Cell = std::array<std::int64_t, 3>;

class Flood {
  public:
    Flood(const Grid &grid, int axis, ImageSides sides)
        : grid_(grid),
          axis_(axis),
          sides_(sides),
          seen_(static_cast<std::size_t>(grid.count())),
          period_(sides == ImageSides::periodic_cell ? seen_.size() : 0) {}

    /// Visits the part of alike cells around `start`; bit 0: it reaches the lower face, bit 1: the upper one; in a periodic cell
    /// both: it reaches without end.
    template <class Alike>
    int part_of(std::int64_t start, const Alike &alike) {
        int faces = 0;
        part_.assign(1, start);
        seen_[start] = true;
        for (std::size_t next = 0; next < part_.size(); ++next) {
            const std::int64_t index = part_[next];
            const Cell cell{index % grid_.cells[0], index / grid_.cells[0] % grid_.cells[1],
                            index / (grid_.cells[0] * grid_.cells[1])};
            if (sides_ != ImageSides::periodic_cell) {
                faces |= cell[axis_] == 0 ? 1 : 0;
                faces |= cell[axis_] + 1 == grid_.cells[axis_] ? 2 : 0;
            }
            for (int along = 0; along < grid_.dimensions; ++along) {
                for (const int step : {-1, 1}) {
                    const std::int64_t neighbour = beside(cell, along, step);
                    if (neighbour < 0 || !alike(neighbour)) {
                        continue;
                    }
                    if (sides_ == ImageSides::periodic_cell) {
                        const std::int64_t period =
                            period_[index] + (along == axis_ ? periods(cell, step) : 0);
                        faces |= seen_[neighbour] && period_[neighbour] != period ? 3 : 0;
                        period_[neighbour] = seen_[neighbour] ? period_[neighbour] : period;
                    }
                    if (!seen_[neighbour]) {
                        seen_[neighbour] = true;
                        part_.push_back(neighbour);
                    }
                }
            }
        }
        return faces;
    }
    [[nodiscard]] bool seen(std::int64_t cell) const { return seen_[cell]; }
    [[nodiscard]] const std::vector<std::int64_t> &part() const { return part_; }

  private:
    /// -1 beyond the box.
    [[nodiscard]] std::int64_t beside(Cell cell, int along, int step) const {
        const std::int64_t extent = grid_.cells[along];
        cell[along] += step;
        if (cell[along] < 0 || cell[along] >= extent) {
            if (sides_ == ImageSides::insulated || (sides_ == ImageSides::periodic && along == axis_)) {
                return -1;
            }
            cell[along] = (cell[along] + extent) % extent;
        }
        return grid_.index(cell[0], cell[1], cell[2]);
    }

    /// That a step along the axis of the flood leads further.
    [[nodiscard]] std::int64_t periods(const Cell &cell, int step) const {
        const std::int64_t to = cell[axis_] + step;
        return to < 0 ? -1 : (to >= grid_.cells[axis_] ? 1 : 0);
    }

    const Grid &grid_;
    int axis_;
    ImageSides sides_;
    std::vector<bool> seen_;
    std::vector<std::int64_t> period_;
    std::vector<std::int64_t> part_;
};

}  // namespace

Percolation flood(const Grid &grid, const MaterialImage &image, int axis, ImageSides sides) {
    Percolation found;
    found.material.assign(image.materials.size(), false);
    found.reaches_a_face.assign(image.of_cell.size(), false);
    Flood by_material(grid, axis, sides);
    Flood conducting(grid, axis, sides);
    const auto conducts = [&](std::int64_t cell) {
        return image.materials[image.of_cell[cell]].conductivity > 0.0;
    };
    for (std::int64_t cell = 0; cell < grid.count(); ++cell) {
        const std::uint8_t material = image.of_cell[cell];
        if (!by_material.seen(cell) &&
            by_material.part_of(cell, [&](std::int64_t i) { return image.of_cell[i] == material; }) == 3) {
            found.material[material] = true;
        }
        if (!conducts(cell) || conducting.seen(cell)) {
            continue;
        }
        const int faces = conducting.part_of(cell, conducts);
        found.connected_cells += faces == 3 ? static_cast<std::int64_t>(conducting.part().size()) : 0;
        for (const std::int64_t member : conducting.part()) {
            found.reaches_a_face[member] = faces != 0 || sides == ImageSides::periodic_cell;
        }
    }
    return found;
}

}  // namespace perdure::reference
