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
} column_t;

/* A ghost and the cell of the box beside it, which lie on one side of the box (lower and upper along x, then y, z). The
 * neighbour's ghost beside that cell lies on the opposite side, at the same place. */
typedef struct {
    unsigned short slot; /* of the ghost in the tile */
    unsigned char side;  /* NO_SIDE where the box is smaller than the largest */
    unsigned char place; /* of the cell in the tables of a uniform problem */
} ghost_t;

#define SIDES 6u
#define NO_SIDE 255u

/* What lies behind a side of a box. */
typedef struct {
    uint32 inward; /* from a ghost's slot to its cell's, wrapping around */
    uint32 to;     /* from the number of a ghost to its counterpart's among those of all groups */
} door_t;

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
    const uint32 turn = DIMENSIONS == 3u ? 16u : 4u; /* of the column's axis in the tables */
    column.first_place = column.place + turn * at_side(column.last, size);
    column.last_place = column.place + turn * at_side(column.last + column.count - 1u, size);
    return column;
}

/* Coordinate in the grid of what stands for coordinate `i` of a box: -1 (wrapped around) and `cells` lie beside it. */
FUNCTION uint32 coordinate(uint32 i, uint32 first, uint32 cells, uint32 size, uint32 periodic) {
    if (i == ~0u) {
        return lower(first, size, periodic);
    }
    return i == cells ? upper(first + i - 1u, size, periodic) : first + i;
}

/* Cells on one side of the largest box across an axis. */
FUNCTION uint32 side_cells(const cg_plan_t *plan, uint32 axis) {
    return plan->box[axis == 0u ? 1u : 0u] * (axis == 2u ? plan->box[1] : plan->box[2]);
}

/* Ghosts are counted side by side, as many a side as the largest box has. */
FUNCTION uint32 first_ghost(const cg_plan_t *plan, uint32 side) {
    uint32 first = side % 2u * side_cells(plan, side / 2u);
    for (uint32 axis = 0; axis < side / 2u; ++axis) {
        first += 2u * side_cells(plan, axis);
    }
    return first;
}

/* Coordinates in the box of ghost `index`, or of the cell beside it. */
typedef struct {
    uint32 side, there;
    uint32 at[3];
} ghost_place_t;

template <uint32 DIMENSIONS>
FUNCTION ghost_place_t place_of_ghost(const cg_plan_t *plan, box_t box, uint32 index, bool cell) {
    ghost_place_t place;
    place.side = 2u * DIMENSIONS - 1u;
    while (index < first_ghost(plan, place.side)) {
        --place.side;
    }
    const uint32 axis = place.side / 2u, along = index - first_ghost(plan, place.side);
    const uint32 u = axis == 0u ? 1u : 0u, v = axis == 2u ? 1u : 2u;
    place.at[axis] = place.side % 2u ? box.cells[axis] - (cell ? 1u : 0u) : (cell ? 0u : ~0u);
    place.at[u] = along % plan->box[u];
    place.at[v] = along / plan->box[u];
    place.there = place.at[u] < box.cells[u] && place.at[v] < box.cells[v] ? 1u : 0u;
    return place;
}

template <uint32 DIMENSIONS>
FUNCTION ghost_t ghost_at(const cg_plan_t *plan, const run_parameters_t *grid, box_t box, uint32 index) {
    const ghost_place_t at = place_of_ghost<DIMENSIONS>(plan, box, index, false);
    const ghost_place_t cell = place_of_ghost<DIMENSIONS>(plan, box, index, true);
    ghost_t ghost;
    ghost.side = (unsigned char)(at.there ? at.side : NO_SIDE);
    ghost.slot = (unsigned short)(at.there ? slot_of<DIMENSIONS>(box, at.at[0], at.at[1], at.at[2]) : 0u);
    ghost.place = (unsigned char)table_place(
        at_side(box.first[0] + cell.at[0], grid->nx), at_side(box.first[1] + cell.at[1], grid->ny),
        DIMENSIONS == 3u ? at_side(box.first[2] + cell.at[2], grid->nz) : at_side(0u, grid->nz));
    return ghost;
}

/* The cell of the grid that a ghost, or the cell beside it, stands for. */
template <uint32 DIMENSIONS>
FUNCTION uint32 cell_of_ghost(const cg_plan_t *plan, const run_parameters_t *grid, box_t box, uint32 index,
                              bool beside) {
    const ghost_place_t place = place_of_ghost<DIMENSIONS>(plan, box, index, beside);
    const uint32 x = coordinate(place.at[0], box.first[0], box.cells[0], grid->nx, grid->periodic_x);
    const uint32 y = coordinate(place.at[1], box.first[1], box.cells[1], grid->ny, grid->periodic_y);
    const uint32 z = DIMENSIONS == 3u
                         ? coordinate(place.at[2], box.first[2], box.cells[2], grid->nz, grid->periodic_z)
                         : 0u;
    return x + (y + z * grid->ny) * grid->nx;
}

/* Beyond a side of the grid that is not periodic a box is its own neighbour, through the same side. */
FUNCTION door_t door_of_side(const cg_plan_t *plan, const run_parameters_t *grid, box_t box, uint32 side) {
    const uint32 axis = side / 2u, up = side % 2u, last = plan->boxes[axis] - 1u;
    const uint32 periodic = axis == 0u ? grid->periodic_x : axis == 1u ? grid->periodic_y : grid->periodic_z;
    const uint32 stride = axis == 0u ? 1u : axis == 1u ? box.row : box.layer;
    const uint32 group_stride = axis == 0u ? 1u : plan->boxes[0] * (axis == 2u ? plan->boxes[1] : 1u);
    const uint32 at = group_index() / group_stride % plan->boxes[axis];
    const bool end = at == (up ? last : 0u);
    const uint32 wrapped = group_index() + (up ? 0u - last : last) * group_stride;
    const uint32 beside = group_index() + (up ? 1u : ~0u) * group_stride;
    const uint32 group = !end ? beside : periodic ? wrapped : group_index();
    const uint32 back = end && !periodic ? side : side ^ 1u;
    door_t door;
    door.inward = up ? 0u - stride : stride;
    door.to = group * plan->ghosts + first_ghost(plan, back) - first_ghost(plan, side);
    return door;
}

#endif
