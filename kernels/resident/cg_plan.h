/* How the cells of a grid are shared out over the groups of a resident run of conjugate gradients.
 *
 * On the chip: the grid is cut into boxes, one a group: box i of n along an axis begins at cell i * cells / n. The items of
 * a group stand over the face of its box, and each owns `cells` cells in one column or more along the last axis (y in two
 * dimensions, z in three): item i the i-th place of the face, counted along x first, and where the items are
 * more than the face has places, one stretch of the columns after another.
 *
 * Streamed: layers across the last axis are cut into tiles (kernels/resident/cg_front.h), `boxes` along x and y, the
 * largest of `box` cells. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_PLAN_H
#define PERDURE_KERNELS_RESIDENT_CG_PLAN_H

#include "sync/step_flags.h"

/* Sums over all groups that an iteration takes at once: always these, and one more where it is a check. */
#define ALWAYS_SUMS 4u
#define RESIDENT_SUMS 5u

/* Items of a group, at most. Where an item has more than 16 cells, half as many: each then has twice the registers. */
#define RESIDENT_ITEMS 512u
#define RESIDENT_ITEMS_WITH(cells) ((cells) > 16u ? 256u : RESIDENT_ITEMS)

/* And at least: as many warps look for the sums of an iteration as there are halves of four of them (kernels/resident/cg_sums.h). */
#define RESIDENT_LEAST_ITEMS 256u

/* Of the cells of an item on the chip, how many columns they are, side by side along y. */
#define RESIDENT_COLUMNS(dimensions, cells) ((dimensions) == 3u && (cells) > 16u ? 2u : 1u)

/* Cells of an item with so many that are under way at once. Tiles have room for as many whole ones as boxes begin. */
#define RESIDENT_BATCH(cells) ((cells) > 16u ? 16u : 4u)

/* Whether an item with so many cells has registers for w, as for 64 of 4 bytes. Those of 16 and fewer always keep it, and x in shared
 * memory; those of 64 where there is room for x. */
#define RESIDENT_MAY_KEEP(cells, real_bytes) ((cells) * (uint32)(real_bytes) <= 256u)
#define RESIDENT_KEEPS(asked, cells, real_bytes) ((asked) && RESIDENT_MAY_KEEP(cells, real_bytes))

/* Whether there are kernels for boxes that are all full, of a uniform problem: each item has so many cells, known to the compiler. */
#define RESIDENT_MAY_BE_FULL(dimensions, cells) ((dimensions) == 3u && (cells) >= 16u)

/* Layers of a streamed run that a group has on the chip: of p, of p', and of p those on their way. */
#define OLD_LAYERS 5
#define NEW_LAYERS 3
#define COPIED_AHEAD 2

/* Cells of the widest box on the chip along x, and along y in three dimensions: rows and layers of any tile lie so far apart,
 * whatever its box, that kernels know where the neighbours of a cell are. */
#define WIDEST_BOX(dimensions) ((dimensions) == 3u ? 32u : 64u)
#define DEEPEST_BOX 16u
#define TILE_ROW(dimensions) (WIDEST_BOX(dimensions) + 2u)
#define TILE_LAYER (TILE_ROW(3u) * (DEEPEST_BOX + 2u))

typedef struct {
    uint32 boxes[3];     /* along x, y, z; streamed: 1 along the last axis */
    uint32 box[3];       /* cells of the largest box */
    uint32 ghosts;       /* cells around it, at most */
    uint32 cells;        /* of an item, at most */
    uint32 items;        /* of a group */
    uint32 full;         /* 1: every item has `cells` cells, and kernels know it */
    uint32 x_on_chip;    /* 1: x in shared memory, 0: in global memory */
    uint32 shared_bytes; /* of a group */
    uint32 tile;         /* values of a tile with its ghosts, on the chip an even number */
} cg_plan_t;

/* Words of 16 bytes with the sums of all groups, of odd and of even calls. */
HOST_FUNCTION uint64 resident_rows_bytes(uint32 groups) {
    return (uint64)2u * RESIDENT_SUMS * groups * 16u;
}

/* Per ghost of every group: words for odd and for even calls, 1 / diagonal, and where it lies; and a flag of every
 * group. */
HOST_FUNCTION uint64 resident_words_bytes(uint32 groups, uint32 ghosts, uint32 real_bytes) {
    return (uint64)groups * ghosts * (5u * real_bytes + 4u) + step_flags_bytes(groups);
}

#endif
