/* Grid barrier without read-modify-writes (Xiao and Feng, IPDPS 2010, "GPU lock-free synchronization"): every
 * group but 0 raises a flag; the items of group 0 gather all flags and then release every group by a flag of
 * its own.
 *
 *   publishes     every write of every item before it
 *   observed by   every item of every group after it
 *   edge          group -> group 0 by release store and acquire load of ROW_ARRIVED, item to item there
 *                 by the group barrier, group 0 -> group by release store and acquire load of ROW_RELEASED
 *   called by     every item of every group, the same number of times: gather and release, with a group
 *                 barrier before, between and after them
 *   progress      all groups resident at once
 *
 * A flag holds the number of the barrier that the group has reached: written by one, compared for equality,
 * free to wrap around. The items of group 0 share the flags out, so a group may be smaller than the number of
 * groups. */
#ifndef PERDURE_SYNC_BARRIER_LOCK_FREE_H
#define PERDURE_SYNC_BARRIER_LOCK_FREE_H

#include "sync/barrier_state.h"

/* The number of the barrier that this group comes to; read before anybody can release it. */
FUNCTION uint32 lock_free_epoch(grid_barrier_t *barrier) {
    return word_before(barrier, group_row(barrier->sync, ROW_RELEASED) + group_index()) + 1u;
}

/* Gathers, in group 0; the others say that they are there. 1 when this item saw all that it waited for. */
FUNCTION uint32 lock_free_gather(grid_barrier_t *barrier, uint32 epoch, uint32 phase) {
    GLOBAL uint32 *arrived = group_row(barrier->sync, ROW_ARRIVED);
    uint32 seen = 0;
    uint32 passed = 1u;
    if (group_index() == 0u) {
        for (uint32 group = 1u + item_index(); group < group_count() && passed; group += group_size()) {
            passed = await_word(arrived + group, SCOPE_DEVICE, UNTIL_EQUAL, epoch, &seen, barrier->sync,
                                phase, barrier->limit);
        }
    } else if (item_index() == 0u) {
        store_uint32(arrived + group_index(), epoch, ORDER_RELEASE, SCOPE_DEVICE);
    }
    return passed;
}

/* After a group barrier: releases, in group 0, if all its items have `gathered`; the others wait for that. */
FUNCTION uint32 lock_free_release(grid_barrier_t *barrier, uint32 epoch, uint32 gathered, uint32 phase) {
    GLOBAL uint32 *released = group_row(barrier->sync, ROW_RELEASED);
    uint32 seen = 0;
    uint32 passed = gathered;
    if (group_index() == 0u && gathered) {
        for (uint32 group = item_index(); group < group_count(); group += group_size()) {
            store_uint32(released + group, epoch, ORDER_RELEASE, SCOPE_DEVICE);
        }
    } else if (group_index() != 0u && item_index() == 0u) {
        passed = await_word(released + group_index(), SCOPE_DEVICE, UNTIL_EQUAL, epoch, &seen, barrier->sync,
                            phase, barrier->limit);
    }
    return passed;
}

#endif
