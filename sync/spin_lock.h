/* Spin lock between items, one word of GLOBAL memory, zero before its first use.
 *
 * Hardly ever what you want: a change of one word is an atomic, a sum or an extreme a reduction, "who comes
 * last" a ticket (sync/last_group.h), and none of these makes anyone wait. What is left: several words that
 * must change together, seldom, in any order. It is not fair: who polls at the right time is next, an item
 * may be passed over for as long as others come back.
 *
 *   publishes     what the holder wrote to GLOBAL memory before spin_unlock
 *   observed by   every later holder, after the try_spin_lock that returned 1
 *   edge          release by the add that unlocks, acquire by the compare-exchange that locks
 *   called by     any item; with SCOPE_GROUP those of one group (a word for each), with SCOPE_DEVICE all
 *   valid in      that item
 *   progress      that of the holder; a wait in which nobody locks or unlocks for `limit` is abandoned
 *
 * Lock and unlock stand in one loop, which nothing but its condition ends:
 *
 *     wait_t wait = {0, 0, 0, 0};
 *     uint32 spin = SPIN_WAITING;
 *     while (spin == SPIN_WAITING) {
 *         if (try_spin_lock(word, SCOPE_DEVICE)) {
 *             ...
 *             spin_unlock(word, SCOPE_DEVICE);
 *             spin = SPIN_DONE;
 *         } else {
 *             spin = keep_spinning(&wait, sync, word, phase, limit);
 *         }
 *     }
 *     if (spin == SPIN_ABANDONED) { give up }
 *
 * `while (!try_spin_lock(...)) {}` before the section, or a break or return in it, lets lanes of a warp that
 * wait keep the lane that holds the lock from ever reaching its unlock. No group barrier and no other lock
 * inside.
 *
 * The word is odd while the lock is held and counts on at every lock and unlock, so that a waiting item can
 * tell whether anybody moves; wrap-around is harmless. */
#ifndef PERDURE_SYNC_SPIN_LOCK_H
#define PERDURE_SYNC_SPIN_LOCK_H

#include "sync/bounded_wait.h"

enum { SPIN_WAITING = 0, SPIN_DONE = 1, SPIN_ABANDONED = 2 };

FUNCTION uint32 lock_is_held(uint32 seen) {
    return seen & 1u;
}

/* 1: this item holds the lock. 0: another does, or has just been faster. Never waits. */
#define try_spin_lock(word, scope) try_spin_lock_##scope(word)
/* By the holder alone. */
#define spin_unlock(word, scope) spin_unlock_##scope(word)

#define PERDURE_SPIN_LOCK(scope)                                                             \
    FUNCTION uint32 try_spin_lock_##scope(GLOBAL uint32 *word) {                             \
        const uint32 seen = load_uint32(word, ORDER_RELAXED, scope);                         \
        return !lock_is_held(seen) &&                                                        \
               compare_exchange_uint32(word, seen, seen + 1u, ORDER_ACQUIRE, scope) == seen; \
    }                                                                                        \
    FUNCTION void spin_unlock_##scope(GLOBAL uint32 *word) {                                 \
        add_uint32(word, 1u, ORDER_RELEASE, scope);                                          \
    }

PERDURE_SPIN_LOCK(SCOPE_GROUP)
PERDURE_SPIN_LOCK(SCOPE_DEVICE)

/* After a try that failed. */
FUNCTION uint32 keep_spinning(wait_t *wait, GLOBAL grid_sync_t *sync, GLOBAL uint32 *word, uint32 phase,
                              uint64 limit) {
    const uint32 seen = load_uint32(word, ORDER_RELAXED, SCOPE_DEVICE);
    return keep_waiting(wait, sync, seen, phase, limit) ? SPIN_WAITING : SPIN_ABANDONED;
}

#endif
