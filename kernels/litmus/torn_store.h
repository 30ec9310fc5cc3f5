/* Pairs of groups: one item of the even group writes a 64-bit word whose halves are equal, `rounds` times;
 * the items of the odd group read it by atomic 64-bit loads.
 *
 *   trial     one load        seen   a word whose halves differ
 *   overlap   a load that finds another word than the one before
 *
 *   TORN_HALVES   the text stores two 32-bit halves, each an atomic store
 *   TORN_PLAIN    one plain 64-bit store: the compiler may split it
 *   TORN_ATOMIC   one atomic 64-bit store */
#ifndef PERDURE_KERNELS_LITMUS_TORN_STORE_H
#define PERDURE_KERNELS_LITMUS_TORN_STORE_H

#include "kernels/litmus/counts.h"

FUNCTION void store_equal_halves(GLOBAL uint32 *halves, uint32 value, uint32 variant) {
    GLOBAL uint64 *word = (GLOBAL uint64 *)halves;
    const uint64 both = (uint64)value << 32 | value;
    if (variant == TORN_HALVES) {
        store_uint32(halves, value, ORDER_RELAXED, SCOPE_DEVICE);
        touch_memory();
        store_uint32(halves + 1, value, ORDER_RELAXED, SCOPE_DEVICE);
    } else if (variant == TORN_PLAIN) {
        *word = both;
        touch_memory();
    } else {
        store_uint64(word, both, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

/* words of a pair: the 64-bit word, and a cache line further 1 when the writer is done */
WIDE_KERNEL void litmus_torn_store(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                   GLOBAL run_state_t *state, GLOBAL litmus_counts_t *counts,
                                   GLOBAL uint32 *words) {
    LOCAL_MEMORY uint32 verdict;
    grid_barrier_t barrier = make_grid_barrier(parameters.barrier, sync, &verdict, parameters.wait_limit);
    GLOBAL uint32 *halves = words + (group_index() / 2u) * 2u * WORDS_PER_LINE;
    GLOBAL uint32 *done = halves + WORDS_PER_LINE;
    uint32 trials = 0;
    uint32 seen = 0;
    uint32 changes = 0;
    uint64 before = 0;
    (void)control;
    (void)state;
    if (!grid_barrier(&barrier, 1u)) {
        return;
    }
    if (group_index() % 2u == 1u) {
        do {
            const uint64 word = load_uint64((GLOBAL uint64 *)halves, ORDER_RELAXED, SCOPE_DEVICE);
            trials += 1u;
            seen += (uint32)(word >> 32) != (uint32)word;
            changes += word != before;
            before = word;
        } while (trials < parameters.rounds && load_uint32(done, ORDER_RELAXED, SCOPE_DEVICE) == 0u);
        count_trials(counts, trials, seen);
        count_overlaps(counts, changes);
    } else if (item_index() == 0u) {
        for (uint32 round = 1; round <= parameters.rounds; ++round) {
            store_equal_halves(halves, round, parameters.variant);
        }
        store_uint32(done, 1u, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

#endif
