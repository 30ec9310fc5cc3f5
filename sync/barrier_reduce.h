/* Grid barrier and all-reduce in one: a double per group goes in, their sum, minimum or maximum is in every
 * item on leaving.
 *
 *   publishes     every write of every item before it, and the group's value
 *   observed by   every item of every group after it
 *   edge          that of sync/grid_barrier.h
 *   called by     every item of every group, `call` counting up by one; `value` counts in item 0 alone, where
 *                 a tree leaves it
 *   valid in      every item: *total, and 1; 0 when the wait was abandoned, *total is then undefined
 *   progress      that of sync/grid_barrier.h
 *
 * Deterministic per launch plan: lane l of 32 combines groups l, l + 32, ... in this order, then the lanes
 * pairwise, stride 16 down to 1. The bits depend on the values and the number of groups alone. NaN and -0 as
 * in sync/reduction.h.
 *
 * Values lie in two rows, of odd and of even calls. A group stores for call c + 2 when it has left barrier
 * c + 1, which all had reached after reading the row of call c.
 *
 * Floor: the barrier, a load (the values of all groups, under way at once) and a group barrier. One line holds those of 16 groups and
 * every group reads it. */
#ifndef PERDURE_SYNC_BARRIER_REDUCE_H
#define PERDURE_SYNC_BARRIER_REDUCE_H

#include "sync/grid_barrier.h"
#include "sync/reduction.h"

#define REDUCE_LANES 32u
/* Values that one lane has under way at once: enough for the 132 groups of an H100. */
#define REDUCE_LOADS 5u

HOST_FUNCTION uint64 reduce_rows_bytes(uint32 groups) {
    return (uint64)2u * groups * sizeof(double);
}

/* Groups lane, lane + 32, ... of a row, in this order. Those that do not exist are read as group 0 and left out: loads
 * without branches are under way together. */
FUNCTION double reduce_lane(uint32 operation, const GLOBAL double *row, uint32 lane) {
    const uint32 groups = group_count();
    double combined = reduce_identity(operation);
    for (uint32 first = lane; first < groups; first += REDUCE_LANES * REDUCE_LOADS) {
        double values[REDUCE_LOADS];
        for (uint32 k = 0; k < REDUCE_LOADS; ++k) {
            const uint32 group = first + k * REDUCE_LANES;
            values[k] = row[group < groups ? group : 0u];
        }
        for (uint32 k = 0; k < REDUCE_LOADS; ++k) {
            const uint32 there = first + k * REDUCE_LANES < groups ? 1u : 0u;
            combined = reduce_two(operation, combined, there ? values[k] : reduce_identity(operation));
        }
    }
    return combined;
}

/* All items: the values of a row combine into lanes[0].
 *   valid in      item 0, until the next group barrier */
FUNCTION void reduce_row(uint32 operation, const GLOBAL double *row, LOCAL double *lanes) {
#if defined(LANE_SHIFT)
    if (group_size() >= REDUCE_LANES) {
        if (item_index() < REDUCE_LANES) {
            double combined = reduce_lane(operation, row, item_index());
            for (uint32 stride = REDUCE_LANES / 2u; stride > 0u; stride /= 2u) {
                combined = reduce_two(operation, combined, shift_lanes(combined, stride));
            }
            if (item_index() == 0u) {
                lanes[0] = combined;
            }
        }
        return;
    }
#endif
    for (uint32 lane = item_index(); lane < REDUCE_LANES; lane += group_size()) {
        lanes[lane] = reduce_lane(operation, row, lane);
    }
    tree_reduce(operation, lanes, REDUCE_LANES);
}

/* rows: reduce_rows_bytes(); lanes: REDUCE_LANES. */
FUNCTION uint32 barrier_reduce(uint32 operation, double value, double *total, grid_barrier_t *barrier,
                               GLOBAL double *rows, LOCAL double *lanes, uint32 call, uint32 phase) {
    GLOBAL double *row = rows + (call & 1u) * group_count();
    if (item_index() == 0u) {
        row[group_index()] = value;
    }
    if (!grid_barrier(barrier, phase)) {
        return 0u;
    }
    reduce_row(operation, row, lanes);
    group_barrier();
    *total = lanes[0];
    return 1u;
}

#endif
