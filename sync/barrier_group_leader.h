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

/* On GPUs one fence for all: each release by itself would wait for all stores before it once more. */
#if defined(PERDURE_SEVERAL_DEVICES)
#define BEFORE_ARRIVAL_AT_DEVICES() fence(ORDER_RELEASE, SCOPE_DEVICE)
#define ORDER_OF_ARRIVAL ORDER_RELAXED
#else
#define BEFORE_ARRIVAL_AT_DEVICES()
#define ORDER_OF_ARRIVAL ORDER_RELEASE
#endif

/* Over several devices. The last group to arrive on a device arrives for it at all the others and last at its own, where its groups poll.
 *   edge          acq_rel by the adds of a device's groups, release by the add that arrives at a device or the fence before the adds,
 *                 acquire by the poll that sees the top bit flipped */
FUNCTION uint32 barrier_over_devices(grid_barrier_t *barrier, uint32 phase) {
    const uint32 devices = device_count(), own = device_index();
    GLOBAL grid_sync_t *near = sync_of_device(barrier->sync, own);
    const uint32 before = word_before(barrier, &near->devices_arrived);
    const uint32 arrival = arrival_of(group_index() - first_group_of(own), groups_of_own_device());
    const uint32 arrived = fetch_add_uint32(&near->arrived, arrival, ORDER_ACQ_REL, SCOPE_OWN_DEVICE);
    if (top_bit_flipped(arrived, arrived + arrival)) {
        BEFORE_ARRIVAL_AT_DEVICES();
        for (uint32 k = 1; k <= devices; ++k) {
            add_uint32(&sync_of_device(barrier->sync, (own + k) % devices)->devices_arrived,
                       arrival_of(own, devices), ORDER_OF_ARRIVAL, SCOPE_DEVICE);
        }
    }
    return await_word(&near->devices_arrived, SCOPE_DEVICE, UNTIL_FLIPPED, before, &barrier->seen,
                      barrier->sync, phase, barrier->limit);
}

FUNCTION uint32 barrier_group_leader(grid_barrier_t *barrier, uint32 phase) {
    return device_count() == 1u ? arrive_and_wait(barrier, arrival_of(group_index(), group_count()), phase)
                                : barrier_over_devices(barrier, phase);
}

#endif
