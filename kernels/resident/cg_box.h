/* The box of cells that a group owns in a resident run of conjugate gradients, and an item's column in it.
 *
 * A field of the box lies in a tile in shared memory: its cells with one layer of ghosts around them, x fastest.
 * A ghost holds the value of the neighbour that kernels/grid.h names: across a periodic side the cell at the
 * other end, beyond any other side of the grid the cell itself. So no cell is treated apart. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_BOX_H
#define PERDURE_KERNELS_RESIDENT_CG_BOX_H

#include "kernels/grid.h"
#include "kernels/resident/cg_plan.h"

typedef struct {
    uint32 first[3]; /* its first cell along x, y, z */
    uint32 cells[3];
    uint32 row, layer; /* from a cell to the next one along y and z, in the tile */
} box_t;

/* Cells of an item: `count` of them, `step` apart in the grid and `slot_step` in the tile. */
typedef struct {
    uint32 count;
    uint32 cell, step;
    uint32 slot, slot_step;
    uint32 east, north;             /* to these neighbours in the grid; north in three dimensions alone */
    uint32 last;                    /* the first cell's coordinate along the column's axis */
    uint32 place;                   /* in the tables of a uniform problem, away from the ends of the grid */
    uint32 first_place, last_place; /* of the first and of the last cell */
    uint32 rim;                     /* bit k: another box (or this one, as a ghost) sees cell k */
} column_t;

/* Where a ghost's value comes from, and where it goes. */
typedef struct {
    uint32 cell;
    unsigned short slot, place;
} ghost_t;

FUNCTION box_t box_of_group(const cg_plan_t *plan, const run_parameters_t *grid) {
    const uint32 cells[3] = {grid->nx, grid->ny, grid->nz};
    const uint32 group = group_index();
    const uint32 at[3] = {group % plan->boxes[0], group / plan->boxes[0] % plan->boxes[1],
                          group / plan->boxes[0] / plan->boxes[1]};
    box_t box;
    for (uint32 axis = 0; axis < 3u; ++axis) {
        const uint64 n = cells[axis];
        const uint32 begin = (uint32)(n * at[axis] / plan->boxes[axis]);
        box.first[axis] = begin;
        box.cells[axis] = (uint32)(n * (at[axis] + 1u) / plan->boxes[axis]) - begin;
    }
    box.row = plan->box[0] + 2u;
    box.layer = box.row * (plan->box[1] + 2u);
    return box;
}

/* Slot of a cell by its coordinates in the box, -1 (wrapped around) for the ghosts before it. */
template <uint32 DIMENSIONS>
FUNCTION uint32 slot_of(const box_t &box, uint32 x, uint32 y, uint32 z) {
    return (x + 1u) + (y + 1u) * box.row + (DIMENSIONS == 3u ? (z + 1u) * box.layer : 0u);
}

FUNCTION uint32 inner_side(uint32 i, uint32 n) {
    return i == 0u || i + 1u == n ? 1u : 0u;
}

template <uint32 DIMENSIONS>
FUNCTION column_t column_of_item(const cg_plan_t *plan, const run_parameters_t *grid, const box_t &box) {
    constexpr uint32 axis = DIMENSIONS - 1u;
    const uint32 face = plan->box[0] * (DIMENSIONS == 3u ? plan->box[1] : 1u);
    const uint32 stretch = item_index() / face, place = item_index() % face;
    const uint32 x = place % plan->box[0], y = DIMENSIONS == 3u ? place / plan->box[0] : 0u;
    const uint32 low = stretch * plan->column, height = box.cells[axis];
    const uint32 global_x = box.first[0] + x, global_y = box.first[1] + y;
    const uint32 size = DIMENSIONS == 3u ? grid->nz : grid->ny;
    const uint32 owner = x < box.cells[0] && (DIMENSIONS == 2u || y < box.cells[1]) && low < height ? 1u : 0u;
    const uint32 left = owner ? height - low : 0u;
    column_t column;
    column.count = left < plan->column ? left : plan->column;
    column.last = box.first[axis] + low;
    column.step = DIMENSIONS == 3u ? grid->nx * grid->ny : grid->nx;
    column.cell = global_x + (DIMENSIONS == 3u ? global_y * grid->nx : 0u) + column.last * column.step;
    column.slot_step = DIMENSIONS == 3u ? box.layer : box.row;
    column.slot = owner ? slot_of<DIMENSIONS>(box, x, DIMENSIONS == 3u ? y : low, low) : box.layer;
    column.east = upper(global_x, grid->nx, grid->periodic_x) - global_x;
    column.north =
        DIMENSIONS == 3u ? (upper(global_y, grid->ny, grid->periodic_y) - global_y) * grid->nx : 0u;
    column.place =
        table_place(at_side(global_x, grid->nx), DIMENSIONS == 3u ? at_side(global_y, grid->ny) : 0u,
                    DIMENSIONS == 3u ? 0u : at_side(0u, grid->nz));
    column.rim = inner_side(x, box.cells[0]) || (DIMENSIONS == 3u && inner_side(y, box.cells[1])) ? ~0u : 0u;
    for (uint32 k = 0; k < column.count; ++k) {
        column.rim |= inner_side(low + k, height) << k;
    }
    const uint32 turn = DIMENSIONS == 3u ? 16u : 4u; /* of the column's axis in the tables */
    column.first_place = column.place + turn * at_side(column.last, size);
    column.last_place = column.place + turn * at_side(column.last + column.count - 1u, size);
    return column;
}

/* Ghosts are counted side by side: before and behind the box along x, then y, then z. */
template <uint32 DIMENSIONS>
FUNCTION uint32 count_ghosts(const box_t &box) {
    const uint32 *n = box.cells;
    return DIMENSIONS == 3u ? 2u * (n[1] * n[2] + n[0] * n[2] + n[0] * n[1]) : 2u * (n[0] + n[1]);
}

/* Coordinate in the grid of what stands for coordinate `i` of a box: -1 (wrapped around) and `cells` lie beside it. */
FUNCTION uint32 coordinate(uint32 i, uint32 first, uint32 cells, uint32 size, uint32 periodic) {
    if (i == ~0u) {
        return lower(first, size, periodic);
    }
    return i == cells ? upper(first + i - 1u, size, periodic) : first + i;
}

template <uint32 DIMENSIONS>
FUNCTION ghost_t make_ghost(const box_t &box, const run_parameters_t *grid, uint32 x, uint32 y, uint32 z) {
    const uint32 from_x = coordinate(x, box.first[0], box.cells[0], grid->nx, grid->periodic_x);
    const uint32 from_y = coordinate(y, box.first[1], box.cells[1], grid->ny, grid->periodic_y);
    const uint32 from_z =
        DIMENSIONS == 3u ? coordinate(z, box.first[2], box.cells[2], grid->nz, grid->periodic_z) : 0u;
    ghost_t ghost;
    ghost.cell = from_x + from_y * grid->nx + from_z * grid->nx * grid->ny;
    ghost.slot = (unsigned short)slot_of<DIMENSIONS>(box, x, y, z);
    ghost.place = (unsigned short)table_place(at_side(from_x, grid->nx), at_side(from_y, grid->ny),
                                              at_side(from_z, grid->nz));
    return ghost;
}

template <uint32 DIMENSIONS>
FUNCTION ghost_t ghost_at(const box_t &box, const run_parameters_t *grid, uint32 index) {
    const uint32 x = box.cells[0], y = box.cells[1], z = DIMENSIONS == 3u ? box.cells[2] : 1u;
    if (index < 2u * y * z) {
        const uint32 along = index % (y * z);
        return make_ghost<DIMENSIONS>(box, grid, index < y * z ? ~0u : x, along % y, along / y);
    }
    index -= 2u * y * z;
    if (index < 2u * x * z) {
        const uint32 along = index % (x * z);
        return make_ghost<DIMENSIONS>(box, grid, along % x, index < x * z ? ~0u : y, along / x);
    }
    index -= 2u * x * z;
    const uint32 along = index % (x * y);
    return make_ghost<DIMENSIONS>(box, grid, along % x, along / x, index < x * y ? ~0u : z);
}

#endif
