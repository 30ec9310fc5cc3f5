/* The box of cells that a group owns in an on-chip run of conjugate gradients, and the column of an item in it.
 *
 * A field of the box lies in a tile in shared memory: the cells of the box surrounded by one layer of ghosts, x fastest. A ghost
 * holds the value of the neighbour that kernels/grid.h names: across a periodic side the cell at the other end, beyond any other
 * side of the grid the cell itself. No cell therefore needs a special case. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_BOX_H
#define PERDURE_KERNELS_RESIDENT_CG_BOX_H

#include "kernels/grid.h"
#include "kernels/resident/cg_plan.h"

typedef struct {
    uint32 first[3]; /* first cell along x, y, z */
    uint32 cells[3];
} cg_box_t;

/* The cells of an item: ROWS rows, side by side along y, of several levels each. FULL is the number of levels if every row has
 * the same number, otherwise 0. */
template <uint32 ROWS, uint32 FULL>
struct column_t {
    uint32 found[ROWS];       /* levels of each row; 0: the item has no such row */
    uint32 cell, step;        /* index in the grid of the first cell; stride from level to level */
    uint32 slot;              /* of the first cell in the tile */
    uint32 east, north[ROWS]; /* offsets in the grid to these neighbours; north only in 3D */
    uint32 last;              /* coordinate of the first level along the column */
    uint32
        place[ROWS]; /* index in the tables of a uniform problem, for levels away from the ends of the grid */
    uint32 first_table_offset, last_table_offset; /* what the first and the last level add to that index */
    /* Where the box ends next to the item; NO_GHOST elsewhere. Across x the rim index (cg_halo.h) of the first cell, across y
     * that of the first cell of each row. Below and above, the ghost that stands for the first cell of the first level and of the
     * last level. */
    uint32 rim_x, rim_y[ROWS];
    uint32 ghost_first, ghost_last;

    __device__ __forceinline__ uint32 levels(uint32 row) const { return FULL != 0u ? FULL : found[row]; }
};

/* A ghost: a copy of the neighbour's cell at the same position on the opposite side of its box. */
typedef struct {
    unsigned short
        slot; /* in the tile; 0 if this box is smaller than the largest one and has no such ghost */
    unsigned short place; /* index of that cell in the tables of a uniform problem */
} __attribute__((aligned(4))) ghost_t;

#define NO_GHOST 0xffffffffu

FUNCTION cg_box_t box_of_group(const cg_plan_t *plan, const run_parameters_t *grid) {
    const uint32 cells[3] = {grid->nx, grid->ny, grid->nz};
    const uint32 group = group_index();
    const uint32 at[3] = {group % plan->boxes[0], group / plan->boxes[0] % plan->boxes[1],
                          group / plan->boxes[0] / plan->boxes[1]};
    cg_box_t box;
    for (uint32 axis = 0; axis < 3u; ++axis) {
        const uint64 n = cells[axis];
        const uint32 begin = (uint32)(n * at[axis] / plan->boxes[axis]);
        box.first[axis] = begin;
        box.cells[axis] = (uint32)(n * (at[axis] + 1u) / plan->boxes[axis]) - begin;
    }
    return box;
}

/* Returns the slot in the tile of a cell, given its coordinates in the box. A coordinate of -1 (wrapped around) means the ghosts
 * before the box. */
template <uint32 DIMENSIONS>
FUNCTION uint32 slot_of(uint32 x, uint32 y, uint32 z) {
    return (x + 1u) + (y + 1u) * TILE_ROW(DIMENSIONS) + (DIMENSIONS == 3u ? (z + 1u) * TILE_LAYER : 0u);
}

/* Returns the coordinate in the grid of coordinate `i` of a box; -1 (wrapped around) and `cells` are ghosts. */
FUNCTION uint32 coordinate(uint32 i, uint32 first, uint32 cells, uint32 size, uint32 periodic) {
    if (i == ~0u) {
        return lower(first, size, periodic);
    }
    return i == cells ? upper(first + i - 1u, size, periodic) : first + i;
}

/* Strides between rows of ghosts on one side of the largest box: ghosts of neighbouring levels of a column lie this far apart. */
#define RIM_ROW_X(dimensions) ((dimensions) == 3u ? DEEPEST_BOX : 1u)
#define RIM_ROW_Y WIDEST_BOX(3u)

template <uint32 DIMENSIONS>
FUNCTION uint32 side_row(const cg_plan_t *plan, uint32 axis) {
    return DIMENSIONS == 2u ? 1u : axis == 0u ? DEEPEST_BOX : axis == 1u ? WIDEST_BOX(3u) : plan->box[0];
}
template <uint32 DIMENSIONS>
FUNCTION uint32 side_ghosts(const cg_plan_t *plan, uint32 axis) {
    return DIMENSIONS == 2u ? plan->box[1u - axis]
                            : side_row<3u>(plan, axis) * plan->box[axis == 2u ? 1u : 2u];
}

/* Returns the index of the first ghost of a side. Ghosts are numbered side by side; each side counts as many as it has on the
 * largest box. */
template <uint32 DIMENSIONS>
FUNCTION uint32 first_ghost(const cg_plan_t *plan, uint32 side) {
    uint32 first = side % 2u * side_ghosts<DIMENSIONS>(plan, side / 2u);
    for (uint32 axis = 0; axis < side / 2u; ++axis) {
        first += 2u * side_ghosts<DIMENSIONS>(plan, axis);
    }
    return first;
}

/* The slot of ghost `index` of a group, and the cell that it copies. */
typedef struct {
    uint32 there; /* 0 if this box is smaller than the largest one and has no such ghost */
    uint32 slot;
    uint32 x, y, z; /* coordinates of the cell in the grid */
} ghost_position_t;

template <uint32 DIMENSIONS>
FUNCTION ghost_position_t position_of_ghost(const cg_plan_t *plan, const run_parameters_t *grid,
                                            const cg_box_t &box, uint32 index) {
    uint32 side = 2u * DIMENSIONS - 1u;
    while (index < first_ghost<DIMENSIONS>(plan, side)) {
        --side;
    }
    const uint32 axis = side / 2u, along = index - first_ghost<DIMENSIONS>(plan, side);
    const uint32 u = axis == 0u ? 1u : 0u, v = axis == 2u ? 1u : 2u;
    uint32 at[3];
    at[axis] = side % 2u ? box.cells[axis] : ~0u;
    at[u] = DIMENSIONS == 2u ? along : along % side_row<3u>(plan, axis);
    at[v] = DIMENSIONS == 2u ? 0u : along / side_row<3u>(plan, axis);
    ghost_position_t place;
    place.there = at[u] < box.cells[u] && at[v] < box.cells[v] ? 1u : 0u;
    place.slot = slot_of<DIMENSIONS>(at[0], at[1], at[2]);
    place.x = coordinate(at[0], box.first[0], box.cells[0], grid->nx, grid->periodic_x);
    place.y = coordinate(at[1], box.first[1], box.cells[1], grid->ny, grid->periodic_y);
    place.z =
        DIMENSIONS == 3u ? coordinate(at[2], box.first[2], box.cells[2], grid->nz, grid->periodic_z) : 0u;
    return place;
}

FUNCTION ghost_t ghost_at(const run_parameters_t *grid, const ghost_position_t &at) {
    ghost_t ghost;
    ghost.slot = (unsigned short)(at.there ? at.slot : 0u);
    ghost.place = (unsigned short)table_place(at_side(at.x, grid->nx), at_side(at.y, grid->ny),
                                              at_side(at.z, grid->nz));
    return ghost;
}

/* Returns the index, among the ghosts of all groups, of the first ghost that copies a cell of this group's box at `side`. At a
 * side of the grid that is not periodic a box is its own neighbour, through the same side. */
template <uint32 DIMENSIONS>
FUNCTION uint32 counterpart(const cg_plan_t *plan, const run_parameters_t *grid, uint32 side) {
    const uint32 axis = side / 2u, up = side % 2u, last = plan->boxes[axis] - 1u;
    const uint32 periodic = axis == 0u ? grid->periodic_x : axis == 1u ? grid->periodic_y : grid->periodic_z;
    const uint32 group_stride = axis == 0u ? 1u : plan->boxes[0] * (axis == 2u ? plan->boxes[1] : 1u);
    const uint32 at = group_index() / group_stride % plan->boxes[axis];
    const bool end = at == (up ? last : 0u);
    const uint32 wrapped = group_index() + (up ? 0u - last : last) * group_stride;
    const uint32 adjacent = group_index() + (up ? 1u : ~0u) * group_stride;
    const uint32 group = !end ? adjacent : periodic ? wrapped : group_index();
    return group * plan->ghosts + first_ghost<DIMENSIONS>(plan, end && !periodic ? side : side ^ 1u);
}

template <uint32 DIMENSIONS, uint32 CELLS, bool FULL>
FUNCTION auto column_of_item(const cg_plan_t *plan, const run_parameters_t *grid, const cg_box_t &box) {
    constexpr uint32 axis = DIMENSIONS - 1u, ROWS = RESIDENT_COLUMNS(DIMENSIONS, CELLS),
                     LEVELS = CELLS / ROWS;
    const uint32 face = plan->box[0] * (DIMENSIONS == 3u ? (plan->box[1] + ROWS - 1u) / ROWS : 1u);
    const uint32 segment = item_index() / face, place = item_index() % face;
    const uint32 x = place % plan->box[0], y = DIMENSIONS == 3u ? place / plan->box[0] * ROWS : 0u;
    const uint32 low = segment * LEVELS, height = box.cells[axis], size = extent(grid, axis);
    const bool owner = x < box.cells[0] && (DIMENSIONS == 2u || y < box.cells[1]) && low < height;
    const uint32 rows = DIMENSIONS == 3u && owner ? box.cells[1] - y : 1u;
    const uint32 global_x = box.first[0] + x;
    column_t<ROWS, FULL ? LEVELS : 0u> column;
    const uint32 levels = !owner ? 0u : height - low < LEVELS ? height - low : LEVELS;
    column.last = box.first[axis] + low;
    column.step = DIMENSIONS == 3u ? grid->nx * grid->ny : grid->nx;
    column.cell =
        global_x + (DIMENSIONS == 3u ? (box.first[1] + y) * grid->nx : 0u) + column.last * column.step;
    column.slot =
        owner ? slot_of<DIMENSIONS>(x, DIMENSIONS == 3u ? y : low, low) : slot_of<DIMENSIONS>(0u, 0u, 0u);
    column.east = upper(global_x, grid->nx, grid->periodic_x) - global_x;
    for (uint32 row = 0; row < ROWS; ++row) {
        const uint32 global_y = box.first[1] + y + row;
        column.found[row] = row < rows ? levels : 0u;
        column.north[row] = (upper(global_y, grid->ny, grid->periodic_y) - global_y) * grid->nx;
        column.place[row] =
            table_place(at_side(global_x, grid->nx), DIMENSIONS == 3u ? at_side(global_y, grid->ny) : 0u,
                        DIMENSIONS == 3u ? 0u : at_side(0u, grid->nz));
    }
    const uint32 table_stride =
        DIMENSIONS == 3u ? 16u : 4u; /* weight of the column's axis in an index of the tables */
    column.first_table_offset = table_stride * at_side(column.last, size);
    column.last_table_offset = table_stride * at_side(column.last + levels - 1u, size);
    const auto rim = [&](uint32 side, uint32 along) { return first_ghost<DIMENSIONS>(plan, side) + along; };
    column.rim_x = column.ghost_first = column.ghost_last = NO_GHOST;
    for (uint32 row = 0; row < ROWS; ++row) {
        column.rim_y[row] = NO_GHOST;
    }
    if (!owner) {
        return column;
    }
    if (x == 0u || x + 1u == box.cells[0]) {
        column.rim_x = rim(x == 0u ? 0u : 1u, y + low * RIM_ROW_X(DIMENSIONS));
    }
    for (uint32 row = 0; DIMENSIONS == 3u && row < ROWS; ++row) {
        if (y + row == 0u || y + row + 1u == box.cells[1]) {
            column.rim_y[row] = rim(y + row == 0u ? 2u : 3u, x + low * RIM_ROW_Y);
        }
    }
    const uint32 on_face = x + y * plan->box[0];
    if (low == 0u) {
        column.ghost_first = counterpart<DIMENSIONS>(plan, grid, 2u * axis) + on_face;
    }
    if (low + levels == height) {
        column.ghost_last = counterpart<DIMENSIONS>(plan, grid, 2u * axis + 1u) + on_face;
    }
    return column;
}

#endif
