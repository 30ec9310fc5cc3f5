/* Poll backoff: how long a warp delays its first poll for data of other groups. A poll goes through the L2 and back, some 700
 * cycles on an H100. A failed poll that came slightly too early costs more than the wait would have. So a warp increases its
 * delay after each failed poll and reduces it a little after each successful one. On devices without a clock it polls at once. */
#ifndef PERDURE_KERNELS_RESIDENT_POLL_BACKOFF_H
#define PERDURE_KERNELS_RESIDENT_POLL_BACKOFF_H

#include "sync/dialect.h"

/* In cycles. */
#define BACKOFF_GAINED 64u
#define BACKOFF_LOST 4u
#define MOST_BACKOFF 512u

/* Returns the next backoff. in_vain: the first poll of some lane failed. */
FUNCTION uint32 next_backoff(uint32 backoff, bool in_vain) {
    const uint32 more = backoff + BACKOFF_GAINED;
    if (in_vain) {
        return more < MOST_BACKOFF ? more : MOST_BACKOFF;
    }
    return backoff > BACKOFF_LOST ? backoff - BACKOFF_LOST : 0u;
}

#endif
