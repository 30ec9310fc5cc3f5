/* Sum, minimum, maximum or dot product of arrays by the last group: store a partial result, fence, draw a
 * ticket; the last group combines the partial results (CUDA's threadFenceReduction sample).
 *
 *   publishes     *result
 *   observed by   every item behind the next grid barrier or the end of the launch, not before
 *   edge          that of the ticket, from the partial results to the last group
 *   called by     every item of every group
 *   valid in      memory, where "observed by" says; no item gets it returned
 *   progress      none needed: nobody waits
 *
 * Partial results belong to chunks of REDUCE_CHUNK elements, never to groups: lane l of a chunk takes the
 * elements l, l + LANES, ..., the lanes are combined by a fixed tree, and so are the chunks. The bits depend
 * on the array alone, not on groups, group size, spelling or device. NaN and -0 as in sync/reduction.h;
 * nothing at all gives -0, +inf or -inf.
 * In groups of several items PoCL 3.1 loses the ticket where the call stands in a loop with a grid barrier.
 *
 * With many kernels instead: one launch calls reduce_partials(), the next reduce_finish() in one group. */
#ifndef PERDURE_SYNC_GRID_REDUCE_H
#define PERDURE_SYNC_GRID_REDUCE_H

#include "sync/last_group_fence.h"
#include "sync/reduction.h"

#define REDUCE_CHUNK 4096u

FUNCTION uint64 reduce_chunks(uint64 count) {
    return (count + REDUCE_CHUNK - 1u) / REDUCE_CHUNK;
}

/* Combines elements first, first + LANES, ... before `end` of each lane, then the lanes, into lanes[0]. */
FUNCTION void reduce_range(uint32 operation, GLOBAL const double *a, GLOBAL const double *b, uint64 first,
                           uint64 end, LOCAL double *lanes) {
    for (uint32 lane = item_index(); lane < LANES; lane += group_size()) {
        double combined = reduce_identity(operation);
        for (uint64 i = first + lane; i < end; i += LANES) {
            combined = reduce_two(operation, combined, operation == REDUCE_DOT ? a[i] * b[i] : a[i]);
        }
        lanes[lane] = combined;
    }
    tree_reduce(operation, lanes, LANES);
}

/* The first phase: one partial result per chunk. `b` is read for REDUCE_DOT alone; lanes: LANES of them. */
FUNCTION void reduce_partials(uint32 operation, GLOBAL const double *a, GLOBAL const double *b, uint64 count,
                              GLOBAL double *partials, LOCAL double *lanes) {
    for (uint64 chunk = group_index(); chunk < reduce_chunks(count); chunk += group_count()) {
        const uint64 first = chunk * REDUCE_CHUNK;
        reduce_range(operation, a, b, first, count - first < REDUCE_CHUNK ? count : first + REDUCE_CHUNK,
                     lanes);
        if (item_index() == 0u) {
            partials[chunk] = lanes[0];
        }
        group_barrier();
    }
}

/* The second phase, in one group: a dot product's partial results are summed. */
FUNCTION void reduce_finish(uint32 operation, GLOBAL const double *partials, uint64 count,
                            GLOBAL double *result, LOCAL double *lanes) {
    reduce_range(operation == REDUCE_DOT ? (uint32)REDUCE_SUM : operation, partials, partials, 0u,
                 reduce_chunks(count), lanes);
    if (item_index() == 0u) {
        *result = lanes[0];
    }
    group_barrier();
}

/* Both phases in one launch. partials: reduce_chunks(count) doubles; they and the ticket are free for the
 * next call behind the next grid barrier. */
FUNCTION void grid_reduce(uint32 operation, uint32 spelling, GLOBAL const double *a, GLOBAL const double *b,
                          uint64 count, GLOBAL double *partials, GLOBAL double *result,
                          GLOBAL grid_sync_t *sync, LOCAL double *lanes, LOCAL uint32 *verdict) {
    reduce_partials(operation, a, b, count, partials, lanes);
    if (is_last_group_as(spelling, sync, verdict)) {
        reduce_finish(operation, partials, count, result, lanes);
    }
}

#endif
