/* The groups that come last, a few of them, once all `members` have come: they share work that needs what all of these wrote, at the end of a
 * launch or while other groups still compute.
 *
 *   publishes     every write of every item of every member before its call
 *   observed by   the items of the last `most` members, behind it
 *   edge          acq_rel add on `came`, acquire load of it by those that wait; within a group by the group barriers
 *   called by     await_all_groups: every item of every member, once between two grid barriers or ends of a launch, all with the same numbers;
 *                 leave_last_groups: one item of each group that got a place, before that barrier or end
 *   valid in      every item
 *   progress      groups that wait need members that may not have begun. Where the device runs `most` groups side by side there is room
 *                 for another one until all have come
 *
 * Both words are zero again when the last of them has left. */
#ifndef PERDURE_SYNC_LAST_GROUPS_H
#define PERDURE_SYNC_LAST_GROUPS_H

#include "sync/bounded_wait.h"

typedef struct {
    uint32 came; /* members that have called await_all_groups() */
    uint32 left; /* of the last ones, those that have left again */
} last_groups_t;

/* A group that is none of the last ones, or has waited in vain. */
#define NOT_AMONG_LAST 0xffffffffu

/* Of the last ones there are `most`, or all members. */
FUNCTION uint32 count_last_groups(uint32 members, uint32 most) {
    return most < members ? most : members;
}

/* The place of the group among the last ones, from 0. */
FUNCTION uint32 await_all_groups(GLOBAL last_groups_t *last, uint32 members, uint32 most, LOCAL uint32 *place,
                                 GLOBAL grid_sync_t *sync, uint32 phase, uint64 limit) {
    group_barrier();
    if (item_index() == 0u) {
        const uint32 others = members - count_last_groups(members, most);
        const uint32 before = fetch_add_uint32(&last->came, 1u, ORDER_ACQ_REL, SCOPE_DEVICE);
        *place = before < others ? NOT_AMONG_LAST : before - others;
        wait_t wait = {0, 0, 0, 0};
        for (uint32 seen = before + 1u; *place != NOT_AMONG_LAST && seen < members;
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
FUNCTION uint32 leave_last_groups(GLOBAL last_groups_t *last, uint32 members, uint32 most) {
    if (fetch_add_uint32(&last->left, 1u, ORDER_ACQ_REL, SCOPE_DEVICE) !=
        count_last_groups(members, most) - 1u) {
        return 0u;
    }
    store_uint32(&last->came, 0u, ORDER_RELAXED, SCOPE_DEVICE);
    store_uint32(&last->left, 0u, ORDER_RELAXED, SCOPE_DEVICE);
    return 1u;
}

#endif
