/* How long a warp lets pass before it looks for what other groups send. A look in vain takes a way through the L2 and back, some 700
 * cycles on an H100: one that comes a little too early costs more than the time it would have had to wait. So a warp waits
 * longer after each look in vain, and a little less after each that was not. Where there is no clock, it looks at once. */
#ifndef PERDURE_KERNELS_RESIDENT_PATIENCE_H
#define PERDURE_KERNELS_RESIDENT_PATIENCE_H

#include "sync/dialect.h"

/* In cycles. */
#define PATIENCE_GAINED 64u
#define PATIENCE_LOST 4u
#define MOST_PATIENCE 512u

/* in_vain: the first look of some lane was. */
FUNCTION uint32 next_patience(uint32 patience, bool in_vain) {
    const uint32 more = patience + PATIENCE_GAINED;
    if (in_vain) {
        return more < MOST_PATIENCE ? more : MOST_PATIENCE;
    }
    return patience > PATIENCE_LOST ? patience - PATIENCE_LOST : 0u;
}

#endif
