/* Grid barrier of the group leader: one item per group adds to a counter and polls it.
 *
 *   publishes     every write of every item before it
 *   observed by   every item of every group after it
 *   edge          release by the acq_rel add that arrives, acquire by the poll that sees the top bit flipped,
 *                 or by the add of the group that comes last; within a group by the group barriers around it
 *                 (sync/grid_barrier.h)
 *   called by     item 0 of every group, the same number of times
 *   progress      all groups resident at once
 *
 * Each group adds 1, group 0 adds 2^31 - (groups - 1): the top bit flips exactly when all have arrived, the
 * rest of the word returns to where it was. Nothing is ever reset and wrap-around is what makes it work. The
 * add returns the count: the last group knows at once, and the others do not poll before their own add has
 * been to memory and back, which leaves the word to those that still arrive. */
#ifndef PERDURE_SYNC_BARRIER_GROUP_LEADER_H
#define PERDURE_SYNC_BARRIER_GROUP_LEADER_H

#include "sync/bounded_wait.h"

FUNCTION uint32 top_bit_flipped(uint32 before, uint32 after) {
    return (before ^ after) >> 31;
}

/* What member `index` of `members` adds so that the top bit flips when all have. */
FUNCTION uint32 arrival_of(uint32 index, uint32 members) {
    return index == 0u ? 0x80000000u - (members - 1u) : 1u;
}

/* 1 when the top bit of the counter differs from that of `before`, 0 when the wait was abandoned. */
FUNCTION uint32 wait_for_flip(GLOBAL grid_sync_t *sync, uint32 before, uint32 phase, uint64 limit) {
    wait_t wait = {0, 0, 0, 0};
    for (;;) {
        uint32 seen = before;
        for (uint32 poll = 1; poll <= POLLS_PER_LOOK; ++poll) {
            seen = poll_uint32(&sync->arrived, SCOPE_DEVICE);
            if (top_bit_flipped(before, seen)) {
                acquire_polled(SCOPE_DEVICE);
                return 1u;
            }
            wait_pause(wait.polls + poll);
        }
        wait.polls += POLLS_PER_LOOK;
        if (!look_up(&wait, sync, seen, phase, limit)) {
            return 0u;
        }
    }
}

/* `arrival`: of arrival_of(). 1 when all members have arrived, 0 when the wait was abandoned. */
FUNCTION uint32 arrive_and_wait(GLOBAL grid_sync_t *sync, uint32 arrival, uint32 phase, uint64 limit) {
    const uint32 before = fetch_add_uint32(&sync->arrived, arrival, ORDER_ACQ_REL, SCOPE_DEVICE);
    return top_bit_flipped(before, before + arrival) ? 1u : wait_for_flip(sync, before, phase, limit);
}

FUNCTION uint32 barrier_group_leader(GLOBAL grid_sync_t *sync, uint32 phase, uint64 limit) {
    return arrive_and_wait(sync, arrival_of(group_index(), group_count()), phase, limit);
}

#endif
