/* Grid barrier, one item per group (group leader).
 *
 *   publishes     every write of every item before it
 *   observed by   every item of every group after it
 *   edge          release by the acq_rel add that arrives, acquire by the load that sees the top bit flipped;
 *                 within a group by the two group barriers
 *   called by     every item of every group, the same number of times
 *   progress      all groups resident at once; a wait longer than `limit` without an arrival ends in a return
 * of 0
 *
 * Each group adds 1, group 0 adds 2^31 - (groups - 1): the top bit flips exactly when all have arrived, the
 * rest of the word returns to where it was. Nothing is ever reset and wrap-around is what makes it work. */
#ifndef PERDURE_SYNC_GRID_BARRIER_H
#define PERDURE_SYNC_GRID_BARRIER_H

#include "sync/grid_sync.h"

/* Leaves word of who waited for what, once; every other wait then ends too. */
FUNCTION void abandon(GLOBAL grid_sync_t *sync, uint32 phase) {
    if (compare_exchange_acq_rel(&sync->abandoned, 0u, 1u) == 0u) {
        const uint32 count = load_relaxed(&sync->arrived) & 0x7fffffffu;
        const uint32 with_group_0 = count & 0x40000000u;
        store_relaxed(&sync->waiting_group, group_index());
        store_relaxed(&sync->waiting_phase, phase);
        store_relaxed(&sync->arrived_groups, with_group_0 ? count + group_count() - 0x80000000u : count);
    }
}

/* Waiting time is added up look by look, at most a sixteenth of the limit each: a suspended process has not
 * waited. */
FUNCTION uint32 wait_for_flip(GLOBAL grid_sync_t *sync, uint32 before, uint32 phase, uint64 limit) {
    uint32 last_seen = before;
    uint64 last_look = wait_clock(0);
    uint64 waited = 0;
    for (uint64 polls = 1;; ++polls) {
        const uint32 seen = load_acquire(&sync->arrived);
        if (((seen ^ before) & 0x80000000u) != 0u) {
            return 1u;
        }
        if (polls % POLLS_PER_LOOK == 0u) {
            const uint64 now = wait_clock(polls);
            const uint64 most = limit / 16u + 1u;
            const uint64 elapsed = now - last_look < most ? now - last_look : most;
            waited = seen == last_seen ? waited + elapsed : 0u;
            last_seen = seen;
            last_look = now;
            if (waited > limit) {
                abandon(sync, phase);
            }
            if (load_relaxed(&sync->abandoned) != 0u) {
                return 0u;
            }
        }
        wait_pause(polls);
    }
}

/* Returns 1 to every item when all groups have arrived, 0 when the wait was abandoned. `verdict` is one word.
 */
FUNCTION uint32 grid_barrier(GLOBAL grid_sync_t *sync, LOCAL uint32 *verdict, uint32 phase, uint64 limit) {
    group_barrier();
    if (item_index() == 0u) {
        const uint32 arrival = group_index() == 0u ? 0x80000000u - (group_count() - 1u) : 1u;
        const uint32 before = fetch_add_acq_rel(&sync->arrived, arrival);
        *verdict = wait_for_flip(sync, before, phase, limit);
    }
    group_barrier();
    return *verdict;
}

#endif
