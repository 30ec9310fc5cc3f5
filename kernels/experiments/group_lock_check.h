/* The spin lock of sync/spin_lock.h at group scope: the items of each group change two plain words together,
 * `rounds` times each.
 *
 *   words   per group the lock, and a cache line further the count of changes and the sum of all counts */
#ifndef PERDURE_KERNELS_EXPERIMENTS_GROUP_LOCK_CHECK_H
#define PERDURE_KERNELS_EXPERIMENTS_GROUP_LOCK_CHECK_H

#include "kernels/parameters.h"
#include "sync/spin_lock.h"

WIDE_KERNEL void group_lock_check(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                  GLOBAL run_state_t *state, GLOBAL uint32 *words) {
    GLOBAL uint32 *lock = words + group_index() * 2u * WORDS_PER_LINE;
    GLOBAL uint32 *changed = lock + WORDS_PER_LINE;
    uint32 spin = SPIN_DONE;
    (void)control;
    for (uint32 n = 1; n <= parameters.rounds && spin == SPIN_DONE; ++n) {
        wait_t wait = {0, 0, 0, 0};
        spin = SPIN_WAITING;
        while (spin == SPIN_WAITING) {
            if (try_spin_lock(lock, SCOPE_GROUP)) {
                changed[0] += 1u;
                changed[1] += changed[0];
                spin_unlock(lock, SCOPE_GROUP);
                spin = SPIN_DONE;
            } else {
                spin = keep_spinning(&wait, sync, lock, n, parameters.wait_limit);
            }
        }
    }
    if (spin == SPIN_ABANDONED) {
        add_uint32(&state->control.wrong, 1u, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

#endif
