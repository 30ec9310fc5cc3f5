/* What kernels/image_operator.h is asked, and what kernels/plane_flow.h answers. */
#ifndef PERDURE_KERNELS_IMAGE_QUESTION_H
#define PERDURE_KERNELS_IMAGE_QUESTION_H

#include "sync/dialect.h"

/* faces: cells count whose part reaches one of these (kernels/percolation_pass.h); held: the side of value 1, all others that
 * hold one hold 0; plain: the inverse diagonal is 1 in cells that count, for a solver without preconditioner; without_b: b is not
 * wanted; labels_of_kinds: of kinds of cells, for which inverse diagonals are not wanted, or 0. */
typedef struct {
    uint32 materials, faces, held, plain, without_b, labels_of_kinds;
} image_question_t;

/* In the table of conductances: between materials m and n along an axis, and from a side to material m. */
#define PAIR_PLACE(materials, axis, m, n) (((axis) * (materials) + (m)) * (materials) + (n))
#define SIDE_PLACE(materials, side, m) ((3u * (materials) + (side)) * (materials) + (m))
#define IMAGE_TABLE_ENTRIES(materials) SIDE_PLACE(materials, 6u, 0u)

/* Sums of a plane, each in so many parts. */
enum {
    PLANE_FLOW = 0,
    PLANE_FLOW_NOISE,
    PLANE_ENERGY,
    PLANE_ENERGY_NOISE,
    PLANE_ACROSS_FIRST, /* of the axes that are not that of the direction, x before y before z */
    PLANE_ACROSS_SECOND,
    PLANE_SUMS
};
#define PLANE_PARTS 64u

#endif
