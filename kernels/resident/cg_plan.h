/* How the cells of a grid are shared out over the groups of a resident run of conjugate gradients.
 *
 * On the chip: the grid is cut into boxes, one a group: box i of n along an axis begins at cell i * cells / n. The items of
 * a group stand over the face of its box, and each owns columns of `column` cells along the last axis (y in two
 * dimensions, z in three): item i the i-th place of the face, counted along x first, and where the items are
 * more than the face has places, one stretch of the column after another.
 *
 * Streamed: layers across the last axis are cut into tiles (kernels/resident/cg_front.h), `boxes` along x and y, the
 * largest of `box` cells. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_PLAN_H
#define PERDURE_KERNELS_RESIDENT_CG_PLAN_H

#include "sync/dialect.h"

/* Sums over all groups that an iteration takes at once: always these, and the others where a check wants them. */
#define ALWAYS_SUMS 4u
#define RESIDENT_SUMS 6u

/* Items of a group, at most. */
#define RESIDENT_ITEMS 512u

/* Layers of a streamed run that a group has on the chip: of p, of p', and of p those on their way. */
#define OLD_LAYERS 5
#define NEW_LAYERS 3
#define COPIED_AHEAD 2

typedef struct {
    uint32 boxes[3];     /* along x, y, z; streamed: 1 along the last axis */
    uint32 box[3];       /* cells of the largest box */
    uint32 ghosts;       /* cells around it, at most */
    uint32 column;       /* cells of an item, at most */
    uint32 items;        /* of a group */
    uint32 x_on_chip;    /* 1: x in shared memory, 0: in global memory */
    uint32 shared_bytes; /* of a group */
    uint32 tile;         /* values of a tile with its ghosts, on the chip an even number */
} cg_plan_t;

/* Words of 16 bytes with the sums of all groups, of odd and of even calls. */
HOST_FUNCTION uint64 resident_rows_bytes(uint32 groups) {
    return (uint64)2u * RESIDENT_SUMS * groups * 16u;
}

/* Per ghost of every group: words for odd and for even calls, 1 / diagonal and r, and a cell. */
HOST_FUNCTION uint64 resident_words_bytes(uint32 groups, uint32 ghosts, uint32 real_bytes) {
    return (uint64)groups * ghosts * (6u * real_bytes + sizeof(uint32));
}

#endif
