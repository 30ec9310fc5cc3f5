/* The groups that come last, a few of them, once all have come: they share work at the end of a launch that needs what all groups wrote.
 *
 *   publishes     every write of every item of every group before its call
 *   observed by   the items of the last `most` groups, behind it
 *   edge          acq_rel add on `came`, acquire load of it by those that wait; within a group by the group barriers
 *   called by     await_all_groups: every item of every group, once a launch; leave_last_groups: one item of each group that got a place
 *   valid in      every item
 *   progress      groups that wait need groups that may not have begun. Where the device runs `most` groups side by side there is room
 *                 for another one until all have come
 *
 * Both words are zero again when the last of them has left. */
#ifndef PERDURE_SYNC_LAST_GROUPS_H
#define PERDURE_SYNC_LAST_GROUPS_H

#include "sync/bounded_wait.h"

typedef struct {
    uint32 came; /* groups that have called await_all_groups() */
    uint32 left; /* of the last ones, those that have left again */
} last_groups_t;

/* A group that is none of the last ones, or has waited in vain. */
#define NOT_AMONG_LAST 0xffffffffu

/* Of the last ones there are `most`, or all groups. */
FUNCTION uint32 count_last_groups(uint32 most) {
    return most < group_count() ? most : group_count();
}

/* The place of the group among the last ones, from 0. */
FUNCTION uint32 await_all_groups(GLOBAL last_groups_t *last, uint32 most, LOCAL uint32 *place,
                                 GLOBAL grid_sync_t *sync, uint32 phase, uint64 limit) {
    group_barrier();
    if (item_index() == 0u) {
        const uint32 others = group_count() - count_last_groups(most);
        const uint32 before = fetch_add_uint32(&last->came, 1u, ORDER_ACQ_REL, SCOPE_DEVICE);
        *place = before < others ? NOT_AMONG_LAST : before - others;
        wait_t wait = {0, 0, 0, 0};
        for (uint32 seen = before + 1u; *place != NOT_AMONG_LAST && seen < group_count();
             seen = load_uint32(&last->came, ORDER_ACQUIRE, SCOPE_DEVICE)) {
            if (!keep_waiting(&wait, sync, seen, phase, limit)) {
                *place = NOT_AMONG_LAST;
            }
        }
    }
    group_barrier();
    return *place;
}

/* 1 to the one that leaves last. */
FUNCTION uint32 leave_last_groups(GLOBAL last_groups_t *last, uint32 most) {
    if (fetch_add_uint32(&last->left, 1u, ORDER_ACQ_REL, SCOPE_DEVICE) != count_last_groups(most) - 1u) {
        return 0u;
    }
    store_uint32(&last->came, 0u, ORDER_RELAXED, SCOPE_DEVICE);
    store_uint32(&last->left, 0u, ORDER_RELAXED, SCOPE_DEVICE);
    return 1u;
}

#endif
