/* Every item of every group adds 1 to one word, `rounds` times.
 *
 *   trial     one addition                    seen   an addition that is missing at the end
 *   overlap   64 additions of one item during which the word did not grow by just those
 *
 *   ADD_PLAIN       ++ without synchronisation: a data race
 *   ADD_LOAD_STORE  atomic load, then atomic store: nothing is torn, but what comes between is overwritten
 *   ADD_ATOMIC      one read-modify-write
 *   ADD_LOCKED      ++ inside a spin lock, taken and released in one pass of a loop */
#ifndef PERDURE_KERNELS_LITMUS_ADD_TO_ONE_WORD_H
#define PERDURE_KERNELS_LITMUS_ADD_TO_ONE_WORD_H

#include "kernels/litmus/counts.h"
#include "kernels/litmus/locks.h"
#include "sync/last_group.h"

#define ROUNDS_COMPARED 64u

/* words: the sum, and a cache line further the lock */
WIDE_KERNEL void litmus_add_to_one_word(PARAMETERS parameters, GLOBAL control_t *control,
                                        GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                        GLOBAL litmus_counts_t *counts, GLOBAL uint32 *words) {
    LOCAL_MEMORY uint32 verdict;
    grid_barrier_t barrier = make_grid_barrier(parameters.barrier, sync, &verdict, parameters.wait_limit);
    uint32 locked = 1u;
    uint32 overlaps = 0;
    uint32 sum;
    (void)control;
    (void)state;
    if (!grid_barrier(&barrier, 1u)) {
        return;
    }
    sum = load_uint32(words, ORDER_RELAXED, SCOPE_DEVICE);
    for (uint32 round = 1; round <= parameters.rounds && locked; ++round) {
        if (parameters.variant == ADD_PLAIN) {
            words[0] += 1u;
            touch_memory();
        } else if (parameters.variant == ADD_LOAD_STORE) {
            const uint32 before = load_uint32(words, ORDER_RELAXED, SCOPE_DEVICE);
            store_uint32(words, before + 1u, ORDER_RELAXED, SCOPE_DEVICE);
        } else if (parameters.variant == ADD_ATOMIC) {
            add_uint32(words, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        } else {
            locked = add_locked(sync, words + WORDS_PER_LINE, words, parameters.wait_limit);
        }
        if (round % ROUNDS_COMPARED == 0u) {
            const uint32 now = load_uint32(words, ORDER_RELAXED, SCOPE_DEVICE);
            overlaps += now - sum != ROUNDS_COMPARED;
            sum = now;
        }
    }
    count_overlaps(counts, overlaps);
    if (!locked) {
        count_given_up(counts);
    }
    if (is_last_group(sync, &verdict) && item_index() == 0u) {
        const uint32 additions = group_count() * group_size() * parameters.rounds;
        count_trials(counts, additions, additions - load_uint32(words, ORDER_RELAXED, SCOPE_DEVICE));
    }
}

#endif
