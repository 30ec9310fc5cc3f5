/* The last group's ticket in its classical spelling, __threadfence() and a relaxed atomicAdd; for the rest as
 * sync/last_group.h.
 *
 *   publishes     every write of every item of every group before its call
 *   observed by   the items of the one group that gets 1
 *   edge          fence, relaxed add - relaxed add, fence; within a group by the two group barriers
 *   called by     every item of every group, once per phase; one spelling per phase
 *   valid in      every item
 *   progress      none needed: nobody waits */
#ifndef PERDURE_SYNC_LAST_GROUP_FENCE_H
#define PERDURE_SYNC_LAST_GROUP_FENCE_H

#include "sync/last_group.h"

enum { TICKET_ACQ_REL = 0, TICKET_FENCE = 1 };

FUNCTION uint32 is_last_group_by_fence(GLOBAL grid_sync_t *sync, LOCAL uint32 *verdict) {
    group_barrier();
    if (item_index() == 0u) {
        fence(ORDER_ACQ_REL, SCOPE_DEVICE);
        const uint32 drawn = fetch_add_uint32(&sync->ticket, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        *verdict = drawn == group_count() - 1u ? 1u : 0u;
        if (*verdict != 0u) {
            fence(ORDER_ACQ_REL, SCOPE_DEVICE);
            store_uint32(&sync->ticket, 0u, ORDER_RELAXED, SCOPE_DEVICE);
        }
    }
    group_barrier();
    return *verdict;
}

FUNCTION uint32 is_last_group_as(uint32 spelling, GLOBAL grid_sync_t *sync, LOCAL uint32 *verdict) {
    return spelling == TICKET_FENCE ? is_last_group_by_fence(sync, verdict) : is_last_group(sync, verdict);
}

#endif
