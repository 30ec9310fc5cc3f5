/* Last group: the threadfence reduction's ticket.
 *
 *   publishes     every write of every item of every group before its call
 *   observed by   the items of the one group that gets 1
 *   edge          acq_rel add on the ticket word; within a group by the two group barriers
 *   called by     every item of every group, once per phase
 *   valid in      every item
 *   progress      none needed: nobody waits
 *
 * The last group puts the ticket back to zero. Between that and the next call of any group there must be a
 * grid barrier or the end of a launch. */
#ifndef PERDURE_SYNC_LAST_GROUP_H
#define PERDURE_SYNC_LAST_GROUP_H

#include "sync/grid_sync.h"

/* 1 to the last of `members` that draw; the ticket is zero again. */
FUNCTION uint32 draws_last(GLOBAL uint32 *ticket, uint32 members, scope_t scope) {
    const uint32 last = fetch_add_uint32(ticket, 1u, ORDER_ACQ_REL, scope) == members - 1u ? 1u : 0u;
    if (last) {
        store_uint32(ticket, 0u, ORDER_RELAXED, scope);
    }
    return last;
}

/* Over several devices the last group of each draws once more. */
FUNCTION uint32 draws_last_of_all(GLOBAL grid_sync_t *sync) {
    if (device_count() == 1u) {
        return draws_last(&sync->ticket, group_count(), SCOPE_DEVICE);
    }
    return draws_last(&sync_of_device(sync, device_index())->ticket, groups_of_own_device(),
                      SCOPE_OWN_DEVICE) &&
                   draws_last(&sync->device_ticket, device_count(), SCOPE_DEVICE)
               ? 1u
               : 0u;
}

FUNCTION uint32 is_last_group(GLOBAL grid_sync_t *sync, LOCAL uint32 *verdict) {
    group_barrier();
    if (group_count() == 1u) {
        return 1u;
    }
    if (item_index() == 0u) {
        *verdict = draws_last_of_all(sync);
    }
    group_barrier();
    return *verdict;
}

#endif
