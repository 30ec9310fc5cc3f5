/* What kernels/percolation.h is asked, and the words that it answers with. */
#ifndef PERDURE_KERNELS_PERCOLATION_PASS_H
#define PERDURE_KERNELS_PERCOLATION_PASS_H

#include "sync/dialect.h"

/* A pass: along which axes it is asked (bits 0 to 2: x, y, z), which axes wrap around, and which materials conduct and so
 * are alike: those below `conducting`; 0: each material by itself. */
typedef struct {
    uint32 axes, wraps, conducting;
} percolation_pass_t;

/* Steps of a pass. Those from ACROSS on come before the report, where several devices share the grid. */
enum {
    PERCOLATION_BEGIN,
    PERCOLATION_UNITE,
    PERCOLATION_FLATTEN,
    PERCOLATION_REPORT,
    PERCOLATION_ACROSS,
    PERCOLATION_GATHER,
    PERCOLATION_SPREAD,
    PERCOLATION_STEPS
};
FUNCTION uint32 percolation_steps(uint32 devices) {
    return devices > 1u ? (uint32)PERCOLATION_STEPS : PERCOLATION_REPORT + 1u;
}
FUNCTION uint32 percolation_step(uint32 phase, uint32 devices) {
    const uint32 step = phase % percolation_steps(devices);
    if (devices == 1u || step < PERCOLATION_REPORT) {
        return step;
    }
    return step + 1u < PERCOLATION_STEPS ? step + 1u : (uint32)PERCOLATION_REPORT; /* behind the others */
}

/* Materials have the numbers 0 to 254. Along each axis: 1 where material m percolates; conducting cells in parts that reach
 * both faces. */
#define PERCOLATION_MATERIALS 255u
#define PERCOLATION_CONNECTED PERCOLATION_MATERIALS
#define PERCOLATION_ROW (PERCOLATION_MATERIALS + 1u)
#define PERCOLATION_FOUND_WORDS (3u * PERCOLATION_ROW)

/* Bits of `reach` and `faces`; and of `reach` alone at a root that has become part of a tree on another device. */
#define IS_LINKED 256u
#define FACE_BITS(axis, bits) ((bits) << (2u * (axis)))
#define BOTH_FACES(axis) FACE_BITS(axis, 3u)

#endif
