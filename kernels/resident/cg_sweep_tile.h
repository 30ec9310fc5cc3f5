/* The tile of a layer through which a group sweeps in streamed conjugate gradients, and the part of an item in it.
 *
 * Layers are rows along x (2D) or planes (3D) of the grid; sweeps go along the last axis, y or z. Layers are cut into tiles; tile
 * i of n along an axis begins at cell i * cells / n. The layers of all tiles, in order of the tiles, are divided evenly among the
 * groups; of several devices each has its own layers of all tiles, which lie in its memory, for its own groups. In shared memory a tile is surrounded by two rings of ghosts. Ghosts hold the values of the cells that kernels/grid.h
 * names: across a periodic side those at the other end, beyond any other side of the grid the cell at that side. No cell
 * therefore needs a special case. In the inner ring, without its corners, a group advances r and p as their owner does. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_SWEEP_TILE_H
#define PERDURE_KERNELS_RESIDENT_CG_SWEEP_TILE_H

#include "kernels/grid.h"
#include "kernels/resident/cg_plan.h"
#include "kernels/resident/messages.h"
#include "kernels/shares.h"

#define RING 2

/* Layers first .. first + layers - 1 of a tile. */
typedef struct {
    uint32 tile;
    int32 first, layers;
} range_t;

/* Position and size of a tile in every layer. */
typedef struct {
    int32 x, y;
    uint32 columns, rows;
} sweep_tile_t;

/* Cell map: where a cell of a tile lies. slot: in shared memory; cell: its index in the layer; east, north: offsets to these
 * neighbours in the layer; place: its index in the tables of a uniform problem, away from the ends of the sweep. */
typedef struct {
    uint32 slot, cell, east, north, place;
} cell_map_t;

/* A ghost that an item advances: it lies in `slot` and copies the cell of `map`. */
typedef struct {
    uint32 there, slot;
    cell_map_t map;
} ghost_map_t;

/* A ghost that an item copies from memory. */
typedef struct {
    uint32 there, slot, cell;
} ring_map_t;

/* A layer of the grid, as a sweep needs it. */
typedef struct {
    uint32 base, next_base; /* first cell of this layer and of the next one along the axis */
    uint32 table_offset;    /* what the layer adds to an index in the tables of a uniform problem */
    uint32 beyond;          /* 1: lies beyond a side that is not periodic */
} layer_t;

/* Returns the cell that kernels/grid.h names for coordinate i, which may lie up to RING cells beyond either side. */
FUNCTION uint32 cell_named(int32 i, uint32 cells, uint32 periodic) {
    const int32 n = (int32)cells;
    if (periodic) {
        return (uint32)((i % n + n) % n);
    }
    return (uint32)(i < 0 ? 0 : i < n ? i : n - 1);
}

/* Of `tiles` tiles of `length` layers, range `number` of those that this group has; without layers: it has fewer. A separate function, so
 * that a sweep keeps nothing of it in registers. */
static __device__ __noinline__ range_t range_of_group(uint64 tiles, uint32 length, uint32 backwards,
                                                      uint32 number) {
    const uint32 first = first_of_device(length), groups = groups_of_own_device();
    const uint64 n = end_of_device(length) - first, all = n * tiles;
    const uint64 begin = all * group_of_device() / groups, end = all * (group_of_device() + 1u) / groups;
    if (begin == end || number > (end - 1u) / n - begin / n) {
        return {0u, 0, 0};
    }
    const uint64 tile = backwards ? (end - 1u) / n - number : begin / n + number, start = tile * n;
    const uint64 from = begin > start ? begin : start, to = end < start + n ? end : start + n;
    return {(uint32)tile, (int32)(first + from - start), (int32)(to - from)};
}

#define SWEEP_TILING template <uint32 DIMENSIONS, uint32 WIDTH, uint32 HEIGHT, uint32 ITEMS>

SWEEP_TILING struct sweep_tiling_t {
    static constexpr bool SOLID = DIMENSIONS == 3u;
    /* Cells of an item: neighbours along y in 3D, ITEMS columns apart in 2D. */
    static constexpr uint32 CELLS = WIDTH * HEIGHT / ITEMS;
    static constexpr uint32 PITCH = WIDTH + 2u * RING;
    static constexpr uint32 SLOTS = PITCH * (SOLID ? HEIGHT + 2u * RING : 1u);
    static constexpr uint32 SLOT_STEP = SOLID ? PITCH : ITEMS;
    static_assert(CELLS * ITEMS == WIDTH * HEIGHT && CELLS <= 4u && (SOLID || HEIGHT == 1u),
                  "places are packed");
    static_assert(SLOTS - WIDTH * HEIGHT <= ITEMS, "an item copies one ghost");

    const cg_plan_t *plan;
    const run_parameters_t *grid;

    MEMBER uint32 length() const { return SOLID ? grid->nz : grid->ny; }
    MEMBER uint32 periodic() const { return SOLID ? grid->periodic_z : grid->periodic_y; }
    MEMBER uint32 layer_cells() const { return SOLID ? grid->nx * grid->ny : grid->nx; }
    MEMBER static uint32 slot_of(int32 x, int32 y) {
        return (uint32)(x + RING) + (SOLID ? (uint32)(y + RING) * PITCH : 0u);
    }

    MEMBER sweep_tile_t tile_of(uint32 index) const {
        const uint64 nx = grid->nx, ny = SOLID ? grid->ny : 1u;
        const uint32 x = index % plan->boxes[0], y = index / plan->boxes[0],
                     of_y = SOLID ? plan->boxes[1] : 1u;
        sweep_tile_t tile;
        tile.x = (int32)(nx * x / plan->boxes[0]);
        tile.y = (int32)(ny * y / of_y);
        tile.columns = (uint32)(nx * (x + 1u) / plan->boxes[0]) - (uint32)tile.x;
        tile.rows = (uint32)(ny * (y + 1u) / of_y) - (uint32)tile.y;
        return tile;
    }

    /* Calls use(range) for the layers of this group, in reverse order of the ranges if `backwards`. */
    template <typename Use>
    MEMBER void for_each_range(uint32 backwards, const Use &use) const {
        const uint64 tiles = (uint64)plan->boxes[0] * (SOLID ? plan->boxes[1] : 1u);
        for (uint32 number = 0;; ++number) {
            const range_t range = range_of_group(tiles, length(), backwards, number);
            if (range.layers == 0) {
                return;
            }
            use(range);
        }
    }

    /* Describes layer `at` of the axis, which may lie up to RING layers beyond its ends. */
    MEMBER layer_t layer_at(int32 at) const {
        const uint32 outside = (uint32)at >= length() ? 1u : 0u;
        const uint32 here = outside ? cell_named(at, length(), periodic()) : (uint32)at;
        layer_t layer;
        layer.base = here * layer_cells();
        layer.next_base = upper(here, length(), periodic()) * layer_cells();
        layer.table_offset = (SOLID ? 16u : 4u) * at_side(here, length());
        layer.beyond = outside && !periodic() ? 1u : 0u;
        return layer;
    }

    /* Maps a cell of the grid, given by its coordinates. */
    MEMBER cell_map_t map_of(uint32 slot, uint32 at_x, uint32 at_y) const {
        cell_map_t map;
        map.slot = slot;
        map.cell = at_x + at_y * grid->nx;
        map.east = upper(at_x, grid->nx, grid->periodic_x) - at_x;
        map.north = SOLID ? (upper(at_y, grid->ny, grid->periodic_y) - at_y) * grid->nx : 0u;
        map.place = table_place(at_side(at_x, grid->nx), SOLID ? at_side(at_y, grid->ny) : 0u,
                                SOLID ? 0u : at_side(0u, grid->nz));
        return map;
    }
    /* Maps a cell of a tile, given by its coordinates in the tile, up to RING beyond its edges. */
    MEMBER cell_map_t map_at(const sweep_tile_t &tile, int32 x, int32 y) const {
        return map_of(slot_of(x, y), cell_named(tile.x + x, grid->nx, grid->periodic_x),
                      SOLID ? cell_named(tile.y + y, grid->ny, grid->periodic_y) : 0u);
    }

    /* Coordinates in a tile of an item's cell k. */
    MEMBER static uint32 column_of(uint32 k) {
        return SOLID ? item_index() % WIDTH : item_index() + k * ITEMS;
    }
    MEMBER static uint32 row_of(uint32 k) { return SOLID ? item_index() / WIDTH * CELLS + k : 0u; }

    MEMBER static bool has(const sweep_tile_t &tile, uint32 k) {
        return column_of(k) < tile.columns && row_of(k) < tile.rows;
    }
    /* Maps cell k of this item; if it does not exist, a cell next to it. */
    MEMBER cell_map_t own_map(const sweep_tile_t &tile, uint32 k) const {
        const uint32 x = column_of(k) < tile.columns ? column_of(k) : tile.columns - 1u;
        const uint32 y = row_of(k) < tile.rows ? row_of(k) : tile.rows - 1u;
        return map_of(slot_of((int32)column_of(k), (int32)row_of(k)), (uint32)tile.x + x, (uint32)tile.y + y);
    }

    /* Maps the ghost of the inner ring that this item advances. */
    MEMBER ghost_map_t ghost_of_item(const sweep_tile_t &tile) const {
        const uint32 ghosts_across_x = 2u * tile.rows, index = item_index();
        const bool across_x = index < ghosts_across_x;
        const uint32 along = across_x ? index / 2u : (index - ghosts_across_x) / 2u;
        const bool up = (across_x ? index : index - ghosts_across_x) % 2u != 0u;
        const int32 last_x = (int32)tile.columns - 1, last_y = (int32)tile.rows - 1;
        const int32 x = !across_x ? (int32)along : up ? last_x + 1 : -1;
        const int32 y = across_x ? (int32)along : up ? last_y + 1 : -1;
        const bool beyond_x = !grid->periodic_x && (tile.x + x < 0 || tile.x + x >= (int32)grid->nx);
        const bool beyond_y = SOLID && !grid->periodic_y && (tile.y + y < 0 || tile.y + y >= (int32)grid->ny);
        ghost_map_t ghost;
        ghost.there = index < ghosts_across_x + (SOLID ? 2u * tile.columns : 0u) ? 1u : 0u;
        ghost.slot = slot_of(x, y);
        if (!ghost.there) {
            ghost.map = own_map(tile, 0u);
            return ghost;
        }
        ghost.map = map_at(tile, beyond_x ? (up ? last_x : 0) : x, beyond_y ? (up ? last_y : 0) : y);
        return ghost;
    }

    /* Maps the ghost that this item copies: first those in rows below and above a tile, then those on either side of its own
     * rows. */
    MEMBER ring_map_t ring_of_item(const sweep_tile_t &tile) const {
        const uint32 width = tile.columns + 2u * RING, outer_rows = SOLID ? 2u * RING : 0u;
        const uint32 across = outer_rows * width;
        const uint32 index = item_index(), in_own_rows = index - across;
        const bool outer = index < across;
        const uint32 row = outer ? index / width : in_own_rows / (2u * RING);
        const uint32 column = outer ? index % width : in_own_rows % (2u * RING);
        const int32 x =
            outer ? (int32)column - RING : (int32)column - RING + (column < RING ? 0 : (int32)tile.columns);
        const int32 y = outer ? (int32)row - RING + (row < RING ? 0 : (int32)tile.rows) : (int32)row;
        ring_map_t ring;
        ring.there = index < across + 2u * RING * tile.rows ? 1u : 0u;
        ring.slot = slot_of(x, y);
        ring.cell = map_at(tile, x, y).cell;
        return ring;
    }
};

#endif
