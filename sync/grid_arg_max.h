/* The largest element of an array and the smallest index that has it, by the last group.
 *
 *   publishes     *result and *result_index
 *   observed by   every item behind the next grid barrier or the end of the launch, not before
 *   edge          that of the ticket, from the partial results to the last group
 *   called by     every item of every group
 *   valid in      memory, where "observed by" says; no item gets it returned
 *   progress      none needed: nobody waits
 *
 * NaN policy: a NaN is larger than everything, so the first NaN wins. 0 and -0 are equal: the first wins.
 * Nothing at all gives -inf and NO_INDEX. With many kernels instead: arg_max_partials(), then
 * arg_max_finish() in one group. */
#ifndef PERDURE_SYNC_GRID_ARG_MAX_H
#define PERDURE_SYNC_GRID_ARG_MAX_H

#include "sync/grid_reduce.h"

#define NO_INDEX ((uint64)0xffffffffffffffff)

FUNCTION uint32 comes_first(double a, uint64 a_index, double b, uint64 b_index) {
    const uint32 a_is_nan = a != a ? 1u : 0u;
    const uint32 b_is_nan = b != b ? 1u : 0u;
    if (a_is_nan != b_is_nan) {
        return a_is_nan;
    }
    return a > b || (!(a < b) && a_index < b_index) ? 1u : 0u;
}

/* Into lanes[0] and index_lanes[0]. Element i stands for index indices[i], or for i itself where `own_index`.
 */
FUNCTION void arg_max_range(GLOBAL const double *values, GLOBAL const uint64 *indices, uint32 own_index,
                            uint64 first, uint64 end, LOCAL double *lanes, LOCAL uint64 *index_lanes) {
    for (uint32 lane = item_index(); lane < LANES; lane += group_size()) {
        double largest = -(double)INFINITY;
        uint64 index = NO_INDEX;
        for (uint64 i = first + lane; i < end; i += LANES) {
            const double value = values[i];
            const uint64 value_index = own_index ? i : indices[i];
            if (comes_first(value, value_index, largest, index)) {
                largest = value;
                index = value_index;
            }
        }
        lanes[lane] = largest;
        index_lanes[lane] = index;
    }
    for (uint32 stride = LANES / 2u; stride > 0u; stride /= 2u) {
        lane_barrier(stride);
        for (uint32 lane = item_index(); lane < stride; lane += group_size()) {
            const uint32 other = lane + stride;
            if (comes_first(lanes[other], index_lanes[other], lanes[lane], index_lanes[lane])) {
                lanes[lane] = lanes[other];
                index_lanes[lane] = index_lanes[other];
            }
        }
    }
}

/* The first phase: value and index of each chunk. */
FUNCTION void arg_max_partials(GLOBAL const double *values, uint64 count, GLOBAL double *partials,
                               GLOBAL uint64 *partial_indices, LOCAL double *lanes,
                               LOCAL uint64 *index_lanes) {
    for (uint64 chunk = group_index(); chunk < reduce_chunks(count); chunk += group_count()) {
        const uint64 first = chunk * REDUCE_CHUNK;
        arg_max_range(values, partial_indices, 1u, first,
                      count - first < REDUCE_CHUNK ? count : first + REDUCE_CHUNK, lanes, index_lanes);
        if (item_index() == 0u) {
            partials[chunk] = lanes[0];
            partial_indices[chunk] = index_lanes[0];
        }
        group_barrier();
    }
}

/* The second phase, in one group. */
FUNCTION void arg_max_finish(GLOBAL const double *partials, GLOBAL const uint64 *partial_indices,
                             uint64 count, GLOBAL double *result, GLOBAL uint64 *result_index,
                             LOCAL double *lanes, LOCAL uint64 *index_lanes) {
    arg_max_range(partials, partial_indices, 0u, 0u, reduce_chunks(count), lanes, index_lanes);
    if (item_index() == 0u) {
        *result = lanes[0];
        *result_index = index_lanes[0];
    }
    group_barrier();
}

/* Both phases in one launch. partials and partial_indices: reduce_chunks(count) each; lanes and index_lanes:
 * LANES. */
FUNCTION void grid_arg_max(uint32 spelling, GLOBAL const double *values, uint64 count,
                           GLOBAL double *partials, GLOBAL uint64 *partial_indices, GLOBAL double *result,
                           GLOBAL uint64 *result_index, GLOBAL grid_sync_t *sync, LOCAL double *lanes,
                           LOCAL uint64 *index_lanes, LOCAL uint32 *verdict) {
    arg_max_partials(values, count, partials, partial_indices, lanes, index_lanes);
    if (is_last_group_as(spelling, sync, verdict)) {
        arg_max_finish(partials, partial_indices, count, result, result_index, lanes, index_lanes);
    }
}

#endif
