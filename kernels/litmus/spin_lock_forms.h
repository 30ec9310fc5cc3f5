/* The items of a group take one lock in turn, in the SIMT-safe form and in the naive one. Where a group is
 * one item, the lock is that of all groups.
 *
 *   trial   one item that wants the lock        seen   an item that did not get it within its tries
 *
 * On hardware that runs a warp in lockstep, the naive form deadlocks: the holder waits for the spinning items
 * to leave their loop. Here they leave it after `elements` tries. */
#ifndef PERDURE_KERNELS_LITMUS_SPIN_LOCK_FORMS_H
#define PERDURE_KERNELS_LITMUS_SPIN_LOCK_FORMS_H

#include "kernels/litmus/counts.h"
#include "kernels/litmus/locks.h"

/* words: per lock two cache lines, the lock and the word that it guards */
WIDE_KERNEL void litmus_spin_lock_forms(PARAMETERS parameters, GLOBAL control_t *control,
                                        GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                        GLOBAL litmus_counts_t *counts, GLOBAL uint32 *words) {
    LOCAL_MEMORY uint32 verdict;
    grid_barrier_t barrier = make_grid_barrier(parameters.barrier, sync, &verdict, parameters.wait_limit);
    GLOBAL uint32 *lock = words + (group_size() == 1u ? 0u : group_index() * 2u * WORDS_PER_LINE);
    GLOBAL uint32 *word = lock + WORDS_PER_LINE;
    uint32 failed = 0;
    (void)control;
    (void)state;
    if (!grid_barrier(&barrier, 1u)) {
        return;
    }
    for (uint32 round = 0; round < parameters.rounds; ++round) {
        const uint32 added = parameters.variant == LOCK_SAFE
                                 ? add_locked(sync, lock, word, parameters.wait_limit)
                                 : add_locked_naively(lock, word, parameters.elements);
        failed += 1u - added;
    }
    count_trials(counts, parameters.rounds, failed);
}

#endif
