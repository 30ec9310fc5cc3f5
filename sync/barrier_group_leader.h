/* Grid barrier of the group leader: one item per group adds to a counter and polls it.
 *
 *   publishes     every write of every item before it
 *   observed by   every item of every group after it
 *   edge          release by the add that arrives, acquire by the poll that sees the top bit flipped (the adds
 *                 are one release sequence); within a group by the group barriers around it
 *                 (sync/grid_barrier.h)
 *   called by     item 0 of every group, the same number of times
 *   progress      all groups resident at once
 *
 * Each group adds 1, group 0 adds 2^31 - (groups - 1): the top bit flips exactly when all have arrived, the
 * rest of the word returns to where it was. Nothing is ever reset and wrap-around is what makes it work. The
 * add returns nothing; the first poll comes FIRST_POLL_CYCLES later, which leaves the word to those that still
 * arrive. */
#ifndef PERDURE_SYNC_BARRIER_GROUP_LEADER_H
#define PERDURE_SYNC_BARRIER_GROUP_LEADER_H

#include "sync/barrier_state.h"

/* Cycles from an arrival to the first poll. Measured on an H100, 132 groups, ns per barrier: 1095 with none, 1008 with
 * 150, 1006 with 200, 1025 with 250, 1075 with 400. */
#define FIRST_POLL_CYCLES 200u

/* What member `index` of `members` adds so that the top bit flips when all have. */
FUNCTION uint32 arrival_of(uint32 index, uint32 members) {
    return index == 0u ? 0x80000000u - (members - 1u) : 1u;
}

/* `arrival`: of arrival_of(). 1 when all members have arrived, 0 when the wait was abandoned. */
FUNCTION uint32 arrive_and_wait(grid_barrier_t *barrier, uint32 arrival, uint32 phase) {
    const uint32 before = word_before(barrier, &barrier->sync->arrived);
    add_uint32(&barrier->sync->arrived, arrival, ORDER_RELEASE, SCOPE_DEVICE);
    delay_first_poll(FIRST_POLL_CYCLES);
    return await_word(&barrier->sync->arrived, SCOPE_DEVICE, UNTIL_FLIPPED, before, &barrier->seen,
                      barrier->sync, phase, barrier->limit);
}

FUNCTION uint32 barrier_group_leader(grid_barrier_t *barrier, uint32 phase) {
    return arrive_and_wait(barrier, arrival_of(group_index(), group_count()), phase);
}

#endif
