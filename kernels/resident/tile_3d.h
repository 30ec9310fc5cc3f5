/* Tiles of 3D grids through which a group sweeps, plane by plane along z.
 *
 * A tile is TILE_COLUMNS x TILE_ROWS cells of every plane. Each lane has COLUMNS_3D columns, the width of one load, in ROWS_3D
 * rows; half a warp (float32) or a warp (float64) spans a row. The group's warps form STEPS_3D stages of a pipeline
 * (kernels/resident/pipeline_3d.h); each stage covers the tile and makes one step. A sweep of T steps makes T cells on every side
 * invalid, which neighbours compute too; a tile owns own_x x own_y cells.
 *
 * Load balancing divides the planes of all tiles (kernels/resident/load_balance.h). */
#ifndef PERDURE_KERNELS_RESIDENT_TILE_3D_H
#define PERDURE_KERNELS_RESIDENT_TILE_3D_H

#include "kernels/real_type.h"
#include "kernels/resident/load_balance.h"
#include "kernels/resident/plane_shape_3d.h"

constexpr int32 COLUMNS_3D = tile_shape_3d<real_t>::columns_of_lane;
constexpr int32 LANES_ACROSS = TILE_COLUMNS / COLUMNS_3D;
constexpr int32 TILE_ROWS = tile_shape_3d<real_t>::rows;
constexpr int32 RING_X = tile_shape_3d<real_t>::ring_x;
constexpr bool RING_IS_SECTORS = RING_X * sizeof(real_t) % 32 == 0;
/* Kinds of tiles, as bits: with cells at a side of x, of y. */
#define AT_SIDE_X 1
#define AT_SIDE_Y 2

typedef row_of<real_t, COLUMNS_3D> part_t;

FUNCTION part_t load_part(const real_t *from) {
    part_t part;
    unpack(part.at, *reinterpret_cast<const part_of<real_t>::type *>(from));
    return part;
}
FUNCTION void store_part(real_t *to, const part_t &part) {
    *reinterpret_cast<part_of<real_t>::type *>(to) = pack(part.at);
}

struct tiles_3d_t {
    enum { EXTRA_LINES = EXTRA_PLANES + PLANES_OF_START, KINDS = AT_SIDE_X + AT_SIDE_Y + 1 };
    int32 own_x, own_y; /* of a tile */
    int32 nx, ny, nz;
    uint32 periodic_x, periodic_y;
    int32 strips_x, tiles;

    /* Whether a tile has a ring beyond sides of x. Usually there is no ring at sides that are not periodic; along x there is if
     * own columns would otherwise begin within a sector of memory. */
    FUNCTION_MEMBER bool has_rings_x() const { return periodic_x || !RING_IS_SECTORS; }
    FUNCTION_MEMBER int32 first_x_of(int32 strip) const {
        return strip * own_x - (has_rings_x() ? RING_X : 0);
    }
    FUNCTION_MEMBER int32 first_y_of(int32 strip) const {
        return strip * own_y - (periodic_y ? STEPS_3D : 0);
    }
    FUNCTION_MEMBER int32 first_x(int32 tile) const { return first_x_of(tile % strips_x); }
    FUNCTION_MEMBER int32 first_y(int32 tile) const { return first_y_of(tile / strips_x); }
    FUNCTION_MEMBER bool owns_column(int32 first, int32 column) const {
        const bool behind_ring = column >= RING_X || (!has_rings_x() && first == 0);
        const bool before_ring =
            column < TILE_COLUMNS - RING_X || (!has_rings_x() && first + TILE_COLUMNS >= nx);
        return behind_ring && before_ring && first + column < nx;
    }
    FUNCTION_MEMBER bool owns_row(int32 first, int32 row) const {
        const bool behind_ring = row >= STEPS_3D || (!periodic_y && first == 0);
        const bool before_ring = row < TILE_ROWS - STEPS_3D || (!periodic_y && first + TILE_ROWS >= ny);
        return behind_ring && before_ring && first + row < ny;
    }
    /* Whether no cell of a tile lies at a side of x; of y. */
    FUNCTION_MEMBER bool is_inner_x(int32 strip) const {
        const int32 x = first_x_of(strip);
        return periodic_x || (x > 0 && x + TILE_COLUMNS < nx);
    }
    FUNCTION_MEMBER bool is_inner_y(int32 strip) const {
        const int32 y = first_y_of(strip);
        return periodic_y || (y > 0 && y + TILE_ROWS < ny);
    }
    /* The planes of this device. */
    FUNCTION_MEMBER int32 first_plane() const {
        return static_cast<int32>(first_of_device(static_cast<uint32>(nz)));
    }
    FUNCTION_MEMBER int32 end_plane() const {
        return static_cast<int32>(end_of_device(static_cast<uint32>(nz)));
    }
    FUNCTION_MEMBER int32 segments() const { return tiles; }
    FUNCTION_MEMBER range_t segment(int32 tile) const {
        const int32 y = tile / strips_x;
        const bool inner_x = is_inner_x(tile - y * strips_x), inner_y = is_inner_y(y);
        return {tile, first_plane(), end_plane(), (inner_x ? 0 : AT_SIDE_X) | (inner_y ? 0 : AT_SIDE_Y)};
    }
    FUNCTION_MEMBER int32 lines_of(int32) const { return end_plane() - first_plane(); }
    /* Measured: tools/results/resident_log.md. */
    FUNCTION_MEMBER static int32 cost_of(int32 kind) {
        constexpr bool wide = sizeof(real_t) == 8;
        constexpr int32 cost[KINDS] = {32, wide ? 41 : 40, wide ? 40 : 37, 48};
        return cost[kind];
    }
};
typedef load_balance_t<tiles_3d_t> load_balance_3d_t;

FUNCTION tiles_3d_t make_tiles(const run_parameters_t *grid) {
    tiles_3d_t made;
    made.own_x = TILE_COLUMNS - 2 * RING_X;
    made.own_y = TILE_ROWS - 2 * STEPS_3D;
    made.nx = static_cast<int32>(grid->nx);
    made.ny = static_cast<int32>(grid->ny);
    made.nz = static_cast<int32>(grid->nz);
    made.periodic_x = grid->periodic_x;
    made.periodic_y = grid->periodic_y;
    made.strips_x = tiles_along(made.nx, made.own_x, made.has_rings_x() ? 0 : RING_X);
    made.tiles = made.strips_x * tiles_along(made.ny, made.own_y, made.periodic_y ? 0 : STEPS_3D);
    return made;
}

/* Position of this item in its stage's tile. */
FUNCTION int32 first_column_in_tile() {
    return static_cast<int32>(item_index() % LANES_ACROSS) * COLUMNS_3D;
}
FUNCTION int32 first_row_in_tile() {
    return static_cast<int32>(item_index() % ITEMS_OF_STAGE / LANES_ACROSS) * ROWS_3D;
}

/* Return the column in the grid of this lane's column j, and the row of its row r; -1: beyond a side. */
FUNCTION int32 column_of(const tiles_3d_t &tiles, int32 tile, int j) {
    return wrapped(tiles.first_x(tile) + first_column_in_tile() + j, static_cast<uint32>(tiles.nx),
                   tiles.periodic_x);
}
FUNCTION int32 row_of_grid(const tiles_3d_t &tiles, int32 tile, int r) {
    return wrapped(tiles.first_y(tile) + first_row_in_tile() + r, static_cast<uint32>(tiles.ny),
                   tiles.periodic_y);
}

/* Position of an item's cells in a tile. Bit COLUMNS_3D r + j of a mask is its column j in its row r. */
struct item_position_t {
    uint32 first[ROWS_3D];        /* cell of column 0 in the plane */
    uint32 along[COLUMNS_3D - 1]; /* offsets from there to the other columns of a row */
    unsigned short inside, own;
    uint32 sides; /* sides_of_lane_t of kernels/resident/pipeline_terms_3d.h */

    FUNCTION_MEMBER static uint32 bit(int r, int j) { return 1u << (COLUMNS_3D * r + j); }
    FUNCTION_MEMBER uint32 cell(int r, int j) const { return first[r] + (j == 0 ? 0u : along[j - 1]); }
};

/* Whether each lane's columns are neighbours in memory, aligned, and all inside the grid or all outside. */
FUNCTION bool lanes_are_whole(const tiles_3d_t &tiles) {
    return tiles.nx % COLUMNS_3D == 0;
}

/* Finds a position, except its sides. */
FUNCTION void find_position(const tiles_3d_t &tiles, int32 tile, item_position_t *position) {
    const int32 first_x = column_of(tiles, tile, 0), begin = first_x < 0 ? 0 : first_x;
    uint32 inside = 0u, own = 0u;
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
        const int32 y = row_of_grid(tiles, tile, r), in_tile = first_row_in_tile() + r;
        position->first[r] = static_cast<uint32>((y < 0 ? 0 : y * tiles.nx) + begin);
        const bool own_row = tiles.owns_row(tiles.first_y(tile), in_tile);
#pragma unroll
        for (int j = 0; j < COLUMNS_3D; ++j) {
            const int32 x = column_of(tiles, tile, j), column = first_column_in_tile() + j;
            if (j > 0) {
                position->along[(j + COLUMNS_3D - 1) % COLUMNS_3D] =
                    static_cast<uint32>((x < 0 ? begin : x) - begin);
            }
            const bool is_own = own_row && tiles.owns_column(tiles.first_x(tile), column);
            inside |= y >= 0 && x >= 0 ? item_position_t::bit(r, j) : 0u;
            own |= is_own ? item_position_t::bit(r, j) : 0u;
        }
    }
    position->inside = static_cast<unsigned short>(inside);
    position->own = static_cast<unsigned short>(own);
}

#endif
