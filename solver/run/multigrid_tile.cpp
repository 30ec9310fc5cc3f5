#include "solver/run/multigrid_tile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/run/divider.hpp"
#include "solver/run/multigrid_levels.hpp"

namespace perdure {
namespace {

/// Coarse cells of a tile: along x, across and along its columns (kernels/multigrid/transfer.h).
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

}  // namespace

tile_t choose_tile(int dimensions, const Extents &n, const Extents &halved, std::uint32_t groups) {
    return TileChoice(dimensions, n, halved, groups).tile();
}

std::uint32_t choose_segment(int dimensions, const Extents &n, const Extents &halved, std::uint32_t groups) {
    constexpr std::uint32_t fewest_cells = 32 * 32 * 32, longest = 32;
    const std::uint32_t cells = product(n), along = n[dimensions - 1];
    if (cells <= fewest_cells) {
        return 0;
    }
    const std::uint32_t coarse = halved[dimensions - 1] != 0 ? (along + 1) / 2 : along;
    const std::uint32_t items = groups * LANES;
    std::uint32_t best = 1, least = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t segment = 1; segment <= std::min(coarse, longest); ++segment) {
        const std::uint32_t segments = cells / along * ((coarse + segment - 1) / segment);
        const std::uint32_t pairs = (segments + items - 1) / items * (segment + 1);
        if (pairs < least) {
            least = pairs;
            best = segment;
        }
    }
    return best;
}

}  // namespace perdure
