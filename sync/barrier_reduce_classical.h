/* The classical form of sync/barrier_reduce.h, to compare: the last group's ticket, then a go flag.
 *
 *   publishes     every write of every item before it, and the group's value
 *   observed by   every item of every group after it
 *   edge          the ticket to the last group, release store and acquire load of `released` from there to all
 *   called by     every item of every group; `value` counts in item 0 alone
 *   valid in      every item: *total, and 1; 0 when the wait was abandoned
 *   progress      all groups resident at once; a wait longer than `limit` without an end is abandoned
 *
 * The order of additions, and with it the bits, is that of sync/barrier_reduce.h. Three trips one behind the
 * other make it slow: value and ticket, the last group's loads, the flag. */
#ifndef PERDURE_SYNC_BARRIER_REDUCE_CLASSICAL_H
#define PERDURE_SYNC_BARRIER_REDUCE_CLASSICAL_H

#include "sync/barrier_reduce.h"
#include "sync/last_group_fence.h"

/* The last group: combines the values of all into values[group_count()]. */
FUNCTION void reduce_group_values(uint32 operation, GLOBAL double *values, LOCAL double *lanes) {
    reduce_row(operation, values, lanes);
    if (item_index() == 0u) {
        values[group_count()] = lanes[0];
    }
    group_barrier();
}

/* barrier: of BARRIER_TREE, whose word this waits for too; values: group_count() + 1 of them; lanes: REDUCE_LANES. */
FUNCTION uint32 barrier_reduce_classical(uint32 operation, uint32 spelling, double value, double *total,
                                         grid_barrier_t *barrier, GLOBAL double *values, LOCAL double *lanes,
                                         uint32 phase) {
    GLOBAL grid_sync_t *sync = barrier->sync;
    const uint32 epoch = word_before(barrier, &sync->released);
    uint32 passed = 1u;
    if (item_index() == 0u) {
        values[group_index()] = value;
    }
    group_barrier();
    const uint32 last = is_last_group_as(spelling, sync, barrier->verdict);
    group_barrier();
    if (last) {
        reduce_group_values(operation, values, lanes);
    }
    group_barrier();
    if (item_index() == 0u) {
        if (last) {
            store_uint32(&sync->released, epoch + 1u, ORDER_RELEASE, SCOPE_DEVICE);
        } else {
            passed = await_word(&sync->released, SCOPE_DEVICE, UNTIL_CHANGED, epoch, &barrier->seen, sync,
                                phase, barrier->limit);
        }
    }
    barrier->seen = epoch + 1u;
    passed = group_verdict(barrier->verdict, passed);
    *total = values[group_count()];
    return passed;
}

#endif
