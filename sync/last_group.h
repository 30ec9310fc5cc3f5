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

FUNCTION uint32 is_last_group(GLOBAL grid_sync_t *sync, LOCAL uint32 *verdict) {
    group_barrier();
    if (group_count() == 1u) {
        return 1u;
    }
    if (item_index() == 0u) {
        *verdict =
            fetch_add_uint32(&sync->ticket, 1u, ORDER_ACQ_REL, SCOPE_DEVICE) == group_count() - 1u ? 1u : 0u;
        if (*verdict != 0u) {
            store_uint32(&sync->ticket, 0u, ORDER_RELAXED, SCOPE_DEVICE);
        }
    }
    group_barrier();
    return *verdict;
}

#endif
