/* How resident conjugate gradients distribute the cells of a grid over the groups.
 *
 * On chip: the grid is cut into boxes, one for each group. Box i of n along an axis begins at cell i * cells / n. The items of a
 * group are mapped to the face of its box, x fastest. Each owns `cells` cells in one or more columns along the last axis (y in
 * 2D, z in 3D). If there are more items than positions on the face, each takes one segment of a column.
 *
 * Streamed: the layers across the last axis are cut into tiles (kernels/resident/cg_sweep_tile.h), `boxes` of them along x and y,
 * the largest with `box` cells. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_PLAN_H
#define PERDURE_KERNELS_RESIDENT_CG_PLAN_H

#include "sync/grid_sync.h"
#include "sync/step_flags.h"

/* Sums over all groups in one iteration: ALWAYS_SUMS, and one more at a check. */
#define ALWAYS_SUMS 4u
#define RESIDENT_SUMS 5u

/* Most items of a group. Half as many if an item has more than 16 cells, so that each has twice the registers. */
#define RESIDENT_ITEMS 512u
#define RESIDENT_ITEMS_WITH(cells) ((cells) > 16u ? 256u : RESIDENT_ITEMS)

/* Fewest items of a group: one warp for each half of the four sums of an iteration (kernels/resident/cg_sums.h). */
#define RESIDENT_LEAST_ITEMS 256u

/* Columns into which the cells of an item are divided on the chip, side by side along y. */
#define RESIDENT_COLUMNS(dimensions, cells) ((dimensions) == 3u && (cells) > 16u ? 2u : 1u)

/* Cells that an item processes at once. A tile has room for whole batches. */
#define RESIDENT_BATCH(cells) ((cells) > 16u ? 16u : 4u)

/* Whether an item with so many cells keeps w in registers: 64 values of 4 bytes fit. Items with at most 16 cells always keep w,
 * and x in shared memory; items with 64 cells do if x fits. */
#define RESIDENT_MAY_KEEP(cells, real_bytes) ((cells) * (uint32)(real_bytes) <= 256u)
#define RESIDENT_KEEPS(asked, cells, real_bytes) ((asked) && RESIDENT_MAY_KEEP(cells, real_bytes))

/* Whether there are kernels for uniform problems whose boxes are all full: the compiler then knows the number of cells of each
 * item. */
#define RESIDENT_MAY_BE_FULL(dimensions, cells) ((dimensions) == 3u && (cells) >= 16u)

/* Layers in shared memory in a streamed run: of p, of p', and of p still in flight. */
#define OLD_LAYERS 5
#define NEW_LAYERS 3
#define COPIED_AHEAD 2

/* Cells of the widest on-chip box along x, and in 3D along y. They fix the strides of every tile, so that neighbours of a cell
 * have constant offsets. */
#define WIDEST_BOX(dimensions) ((dimensions) == 3u ? 32u : 64u)
#define DEEPEST_BOX 16u
#define TILE_ROW(dimensions) (WIDEST_BOX(dimensions) + 2u)
#define TILE_LAYER (TILE_ROW(3u) * (DEEPEST_BOX + 2u))

typedef struct {
    uint32 boxes[3];     /* number along x, y, z; streamed: 1 along the last axis */
    uint32 box[3];       /* cells of the largest box along x, y, z */
    uint32 ghosts;       /* ghosts of a box, at most */
    uint32 cells;        /* cells of an item, at most */
    uint32 items;        /* items of a group */
    uint32 full;         /* 1: every item has `cells` cells, and kernels rely on it */
    uint32 x_on_chip;    /* 1: x in shared memory, 0: in global memory */
    uint32 shared_bytes; /* shared memory of a group */
    uint32 tile;         /* values of a tile with its ghosts; even if on chip */
} cg_plan_t;

/* Bytes of the messages of 16 bytes that carry the sums of all groups, for odd and for even calls. Of several devices each has all of them,
 * DEVICE_SYNC_BYTES apart, so that its groups poll its own memory. */
HOST_FUNCTION uint64 resident_rows_bytes(uint32 groups, uint32 devices) {
    return devices > 1u ? (uint64)devices * DEVICE_SYNC_BYTES : (uint64)2u * RESIDENT_SUMS * groups * 16u;
}

/* Bytes for the ghosts of all groups: messages for odd and for even calls, 1 / diagonal and position of each ghost, and one flag
 * of each group. */
HOST_FUNCTION uint64 resident_messages_bytes(uint32 groups, uint32 ghosts, uint32 real_bytes) {
    return (uint64)groups * ghosts * (5u * real_bytes + 4u) + step_flags_bytes(groups);
}

#endif
