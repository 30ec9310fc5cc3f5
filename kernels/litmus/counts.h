/* What every litmus experiment counts, and how it keeps a compiler from undoing the experiment. */
#ifndef PERDURE_KERNELS_LITMUS_COUNTS_H
#define PERDURE_KERNELS_LITMUS_COUNTS_H

#include "kernels/litmus/variants.h"
#include "kernels/parameters.h"
#include "sync/grid_barrier.h"

typedef struct {
    uint32 trials;
    uint32 seen;     /* trials with the outcome that the experiment looks for */
    uint32 given_up; /* waits that ran out */
    uint32 looked;   /* of force_computation() */
    uint32 overlaps; /* signs that others worked on the same words at the same time */
} litmus_counts_t;

/* The compiler may keep no word in a register across it; orders nothing between groups. */
FUNCTION void touch_memory(void) {
    fence(ORDER_ACQ_REL, SCOPE_GROUP);
}

FUNCTION void count_trials(GLOBAL litmus_counts_t *counts, uint32 trials, uint32 seen) {
    add_uint32(&counts->trials, trials, ORDER_RELAXED, SCOPE_DEVICE);
    add_uint32(&counts->seen, seen, ORDER_RELAXED, SCOPE_DEVICE);
}

FUNCTION void count_overlaps(GLOBAL litmus_counts_t *counts, uint32 overlaps) {
    add_uint32(&counts->overlaps, overlaps, ORDER_RELAXED, SCOPE_DEVICE);
}

/* A few cycles that no compiler can leave out, but that touch no memory. */
FUNCTION uint32 next_number(uint32 number) {
    return (number ^ number >> 15) * 1664525u + 1013904223u;
}

/* Stores a value that nobody needs, so that the compiler may not leave out what computes it. */
FUNCTION void force_computation(GLOBAL litmus_counts_t *counts, uint32 value) {
    store_uint32(&counts->looked, value, ORDER_RELAXED, SCOPE_DEVICE);
}

FUNCTION void count_given_up(GLOBAL litmus_counts_t *counts) {
    add_uint32(&counts->given_up, 1u, ORDER_RELAXED, SCOPE_DEVICE);
}

/* Relaxed poll until *word is `value`: 0 when the wait was abandoned. */
FUNCTION uint32 poll_for(GLOBAL grid_sync_t *sync, GLOBAL uint32 *word, uint32 value, uint64 limit) {
    wait_t wait = {0, 0, 0, 0};
    uint32 seen = load_uint32(word, ORDER_RELAXED, SCOPE_DEVICE);
    while (seen != value) {
        if (!keep_waiting(&wait, sync, seen, value, limit)) {
            return 0u;
        }
        seen = load_uint32(word, ORDER_RELAXED, SCOPE_DEVICE);
    }
    return 1u;
}

#endif
