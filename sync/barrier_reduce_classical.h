/* The classical form of sync/barrier_reduce.h, to compare: the last group's ticket, then a go flag.
 *
 *   publishes     every write of every item before it, and the group's value
 *   observed by   every item of every group after it
 *   edge          the ticket to the last group, release store and acquire load of `released` from there to
 * all called by     every item of every group; `value` counts in item 0 alone valid in      every item:
 * *total, and 1; 0 when the wait was abandoned progress      all groups resident at once; a wait longer than
 * `limit` without an end is abandoned
 *
 * The order of additions, and with it the bits, is that of sync/barrier_reduce.h. Three trips one behind the
 * other make it slow: value and ticket, the last group's loads, the flag. */
#ifndef PERDURE_SYNC_BARRIER_REDUCE_CLASSICAL_H
#define PERDURE_SYNC_BARRIER_REDUCE_CLASSICAL_H

#include "sync/barrier_reduce.h"
#include "sync/last_group_fence.h"

/* The last group: combines the values of all into values[group_count()]. */
FUNCTION void reduce_group_values(uint32 operation, GLOBAL double *values, LOCAL double *lanes) {
    for (uint32 lane = item_index(); lane < REDUCE_LANES; lane += group_size()) {
        double combined = reduce_identity(operation);
        for (uint32 group = lane; group < group_count(); group += REDUCE_LANES) {
            combined = reduce_two(operation, combined, values[group]);
        }
        lanes[lane] = combined;
    }
    group_barrier();
    tree_reduce(operation, lanes, REDUCE_LANES);
    if (item_index() == 0u) {
        values[group_count()] = lanes[0];
    }
    group_barrier();
}

FUNCTION uint32 await_release(GLOBAL grid_sync_t *sync, uint32 epoch, uint32 phase, uint64 limit) {
    wait_t wait = {0, 0, 0, 0};
    while (load_uint32(&sync->released, ORDER_ACQUIRE, SCOPE_DEVICE) == epoch) {
        if (!keep_waiting(&wait, sync, epoch, phase, limit)) {
            return 0u;
        }
    }
    return 1u;
}

/* values: group_count() + 1 of them. */
FUNCTION uint32 barrier_reduce_classical(uint32 operation, uint32 spelling, double value, double *total,
                                         GLOBAL grid_sync_t *sync, GLOBAL double *values,
                                         LOCAL reduce_scratch_t *scratch, uint32 phase, uint64 limit) {
    const uint32 epoch = load_uint32(&sync->released, ORDER_RELAXED, SCOPE_DEVICE);
    if (item_index() == 0u) {
        values[group_index()] = value;
    }
    group_barrier();
    const uint32 last = is_last_group_as(spelling, sync, scratch->passed);
    group_barrier();
    if (last) {
        reduce_group_values(operation, values, scratch->lanes);
    }
    group_barrier();
    if (item_index() == 0u) {
        if (last) {
            store_uint32(&sync->released, epoch + 1u, ORDER_RELEASE, SCOPE_DEVICE);
        }
        scratch->passed[0] = last ? 1u : await_release(sync, epoch, phase, limit);
    }
    group_barrier();
    *total = values[group_count()];
    return scratch->passed[0];
}

#endif
