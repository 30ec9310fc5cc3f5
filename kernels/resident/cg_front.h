/* The tile of a layer that a group of streamed conjugate gradients marches forward, and what of it an item has.
 *
 * Layers are rows along x (2D) or planes (3D) of the grid; marches go along the last axis, y or z. Layers are cut into tiles, tile
 * i of n along an axis beginning at cell i * cells / n, and the layers of all tiles are dealt out one tile after the other:
 * each group has as many. On the chip a tile lies with two rings of ghosts around it, which hold the values of the cells that
 * kernels/grid.h names: across a periodic side those at the other end, beyond any other side of the grid the cell at that side.
 * So no cell is treated apart. In the inner ring, without its corners, a group advances r and p as their owner does. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_FRONT_H
#define PERDURE_KERNELS_RESIDENT_CG_FRONT_H

#include "kernels/grid.h"
#include "kernels/resident/cg_plan.h"
#include "kernels/resident/words.h"

#define RING 2

/* Layers first .. first + layers - 1 of a tile. */
typedef struct {
    uint32 tile;
    int32 first, layers;
} range_t;

/* Where a tile lies in every layer. */
typedef struct {
    int32 x, y;
    uint32 columns, rows;
} front_tile_t;

/* A cell of a tile: where in a tile on the chip, which of a layer, from it to its neighbours in a layer of the grid, and its
 * place in the tables of a uniform problem away from the ends of the march. */
typedef struct {
    uint32 slot, cell, east, north, place;
} seat_t;

/* A ghost that an item advances: it stands for `seat`, and lies in `slot`. */
typedef struct {
    uint32 there, slot;
    seat_t seat;
} ghost_seat_t;

/* A ghost that an item copies from memory. */
typedef struct {
    uint32 there, slot, cell;
} ring_seat_t;

/* A layer of the grid as a march meets it. */
typedef struct {
    uint32 base, next_base; /* first cells of it and of the layer that lies further along the axis */
    uint32 turn;            /* in the tables of a uniform problem */
    uint32 beyond;          /* 1: behind a side that is not periodic */
} layer_t;

/* The cell that kernels/grid.h names, from up to RING cells beyond either side. */
FUNCTION uint32 cell_named(int32 i, uint32 cells, uint32 periodic) {
    const int32 n = (int32)cells;
    if (periodic) {
        return (uint32)((i % n + n) % n);
    }
    return (uint32)(i < 0 ? 0 : i < n ? i : n - 1);
}

#define FRONT template <uint32 DIMENSIONS, uint32 WIDTH, uint32 HEIGHT, uint32 ITEMS>

FRONT struct front_t {
    static constexpr bool SOLID = DIMENSIONS == 3u;
    /* Of an item: along y in three dimensions, ITEMS columns apart in two. */
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

    MEMBER front_tile_t tile_of(uint32 index) const {
        const uint64 nx = grid->nx, ny = SOLID ? grid->ny : 1u;
        const uint32 x = index % plan->boxes[0], y = index / plan->boxes[0],
                     of_y = SOLID ? plan->boxes[1] : 1u;
        front_tile_t tile;
        tile.x = (int32)(nx * x / plan->boxes[0]);
        tile.y = (int32)(ny * y / of_y);
        tile.columns = (uint32)(nx * (x + 1u) / plan->boxes[0]) - (uint32)tile.x;
        tile.rows = (uint32)(ny * (y + 1u) / of_y) - (uint32)tile.y;
        return tile;
    }

    /* use(range) for the layers of this group, the last range first where `backwards`. */
    template <typename Use>
    MEMBER void for_each_range(uint32 backwards, const Use &use) const {
        const uint64 n = length(), all = n * plan->boxes[0] * (SOLID ? plan->boxes[1] : 1u);
        uint64 begin = all * group_index() / group_count(), end = all * (group_index() + 1u) / group_count();
        while (begin < end) {
            const uint64 tile = (backwards ? end - 1u : begin) / n, start = tile * n;
            const uint64 from = begin > start ? begin : start, to = end < start + n ? end : start + n;
            const range_t range = {(uint32)tile, (int32)(from - start), (int32)(to - from)};
            use(range);
            begin = backwards ? begin : to;
            end = backwards ? from : end;
        }
    }

    /* Of layer `at` of the axis, up to RING beyond its ends. */
    MEMBER layer_t layer_at(int32 at) const {
        const uint32 outside = (uint32)at >= length() ? 1u : 0u;
        const uint32 here = outside ? cell_named(at, length(), periodic()) : (uint32)at;
        layer_t layer;
        layer.base = here * layer_cells();
        layer.next_base = upper(here, length(), periodic()) * layer_cells();
        layer.turn = (SOLID ? 16u : 4u) * at_side(here, length());
        layer.beyond = outside && !periodic() ? 1u : 0u;
        return layer;
    }

    /* Of a cell of the grid. */
    MEMBER seat_t seat_of(uint32 slot, uint32 at_x, uint32 at_y) const {
        seat_t seat;
        seat.slot = slot;
        seat.cell = at_x + at_y * grid->nx;
        seat.east = upper(at_x, grid->nx, grid->periodic_x) - at_x;
        seat.north = SOLID ? (upper(at_y, grid->ny, grid->periodic_y) - at_y) * grid->nx : 0u;
        seat.place = table_place(at_side(at_x, grid->nx), SOLID ? at_side(at_y, grid->ny) : 0u,
                                 SOLID ? 0u : at_side(0u, grid->nz));
        return seat;
    }
    /* By coordinates in a tile, x and y up to RING beyond its edges. */
    MEMBER seat_t seat_at(const front_tile_t &tile, int32 x, int32 y) const {
        return seat_of(slot_of(x, y), cell_named(tile.x + x, grid->nx, grid->periodic_x),
                       SOLID ? cell_named(tile.y + y, grid->ny, grid->periodic_y) : 0u);
    }

    /* Coordinates in a tile of an item's cell k. */
    MEMBER static uint32 column_of(uint32 k) {
        return SOLID ? item_index() % WIDTH : item_index() + k * ITEMS;
    }
    MEMBER static uint32 row_of(uint32 k) { return SOLID ? item_index() / WIDTH * CELLS + k : 0u; }

    MEMBER static bool has(const front_tile_t &tile, uint32 k) {
        return column_of(k) < tile.columns && row_of(k) < tile.rows;
    }
    /* Of cell k; where there is none, of a cell beside it. */
    MEMBER seat_t own_seat(const front_tile_t &tile, uint32 k) const {
        const uint32 x = column_of(k) < tile.columns ? column_of(k) : tile.columns - 1u;
        const uint32 y = row_of(k) < tile.rows ? row_of(k) : tile.rows - 1u;
        return seat_of(slot_of((int32)column_of(k), (int32)row_of(k)), (uint32)tile.x + x,
                       (uint32)tile.y + y);
    }

    /* The ghost of the inner ring that this item advances. */
    MEMBER ghost_seat_t ghost_of_item(const front_tile_t &tile) const {
        const uint32 beside_x = 2u * tile.rows, index = item_index();
        const bool across_x = index < beside_x;
        const uint32 along = across_x ? index / 2u : (index - beside_x) / 2u;
        const bool up = (across_x ? index : index - beside_x) % 2u != 0u;
        const int32 last_x = (int32)tile.columns - 1, last_y = (int32)tile.rows - 1;
        const int32 x = !across_x ? (int32)along : up ? last_x + 1 : -1;
        const int32 y = across_x ? (int32)along : up ? last_y + 1 : -1;
        const bool beyond_x = !grid->periodic_x && (tile.x + x < 0 || tile.x + x >= (int32)grid->nx);
        const bool beyond_y = SOLID && !grid->periodic_y && (tile.y + y < 0 || tile.y + y >= (int32)grid->ny);
        ghost_seat_t ghost;
        ghost.there = index < beside_x + (SOLID ? 2u * tile.columns : 0u) ? 1u : 0u;
        ghost.slot = slot_of(x, y);
        if (!ghost.there) {
            ghost.seat = own_seat(tile, 0u);
            return ghost;
        }
        ghost.seat = seat_at(tile, beyond_x ? (up ? last_x : 0) : x, beyond_y ? (up ? last_y : 0) : y);
        return ghost;
    }

    /* The ghost that this item copies: in rows below and above a tile, then on either side of its own rows. */
    MEMBER ring_seat_t ring_of_item(const front_tile_t &tile) const {
        const uint32 width = tile.columns + 2u * RING, outer_rows = SOLID ? 2u * RING : 0u;
        const uint32 across = outer_rows * width;
        const uint32 index = item_index(), beside = index - across;
        const bool outer = index < across;
        const uint32 row = outer ? index / width : beside / (2u * RING);
        const uint32 column = outer ? index % width : beside % (2u * RING);
        const int32 x =
            outer ? (int32)column - RING : (int32)column - RING + (column < RING ? 0 : (int32)tile.columns);
        const int32 y = outer ? (int32)row - RING + (row < RING ? 0 : (int32)tile.rows) : (int32)row;
        ring_seat_t ring;
        ring.there = index < across + 2u * RING * tile.rows ? 1u : 0u;
        ring.slot = slot_of(x, y);
        ring.cell = seat_at(tile, x, y).cell;
        return ring;
    }
};

#endif
