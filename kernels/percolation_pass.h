/* What kernels/percolation.h is asked, and the words that it answers with. */
#ifndef PERDURE_KERNELS_PERCOLATION_PASS_H
#define PERDURE_KERNELS_PERCOLATION_PASS_H

#include "sync/dialect.h"

/* A pass: along which axes it is asked (bits 0 to 2: x, y, z), which axes wrap around, and which materials conduct and so
 * are alike: those below `conducting`; 0: each material by itself. */
typedef struct {
    uint32 axes, wraps, conducting;
} percolation_pass_t;

enum { PERCOLATION_BEGIN, PERCOLATION_UNITE, PERCOLATION_FLATTEN, PERCOLATION_REPORT, PERCOLATION_STEPS };

/* Materials have the numbers 0 to 254. Along each axis: 1 where material m percolates; conducting cells in parts that reach
 * both faces. */
#define PERCOLATION_MATERIALS 255u
#define PERCOLATION_CONNECTED PERCOLATION_MATERIALS
#define PERCOLATION_ROW (PERCOLATION_MATERIALS + 1u)
#define PERCOLATION_FOUND_WORDS (3u * PERCOLATION_ROW)

/* Bits of `reach` and `faces`. */
#define FACE_BITS(axis, bits) ((bits) << (2u * (axis)))
#define BOTH_FACES(axis) FACE_BITS(axis, 3u)

#endif
