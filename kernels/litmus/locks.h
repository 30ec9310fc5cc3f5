/* The two forms of taking a spin lock (sync/spin_lock.h) whose critical section is `*word += 1`.
 *
 *   add_locked           lock and unlock in one pass of a loop, so items that run in lockstep pass it on
 *   add_locked_naively   whoever holds the lock must run while the items beside it spin, which lockstep does
 *                        not promise: the loop ends after `tries` */
#ifndef PERDURE_KERNELS_LITMUS_LOCKS_H
#define PERDURE_KERNELS_LITMUS_LOCKS_H

#include "sync/spin_lock.h"

/* 0 when the wait was abandoned. */
FUNCTION uint32 add_locked(GLOBAL grid_sync_t *sync, GLOBAL uint32 *lock, GLOBAL uint32 *word, uint64 limit) {
    wait_t wait = {0, 0, 0, 0};
    uint32 spin = SPIN_WAITING;
    while (spin == SPIN_WAITING) {
        if (try_spin_lock(lock, SCOPE_DEVICE)) {
            *word += 1u;
            spin_unlock(lock, SCOPE_DEVICE);
            spin = SPIN_DONE;
        } else {
            spin = keep_spinning(&wait, sync, lock, 1u, limit);
        }
    }
    return spin == SPIN_DONE;
}

/* 0 after `tries` tries. */
FUNCTION uint32 add_locked_naively(GLOBAL uint32 *lock, GLOBAL uint32 *word, uint32 tries) {
    uint32 tried = 0;
    while (!try_spin_lock(lock, SCOPE_DEVICE)) {
        ++tried;
        if (tried == tries) {
            return 0u;
        }
        wait_pause(tried);
    }
    *word += 1u;
    spin_unlock(lock, SCOPE_DEVICE);
    return 1u;
}

#endif
