/* What a reduction does with two values, and with the lanes of a group.
 *
 *   publishes     tree_reduce: the lanes, through LOCAL memory
 *   observed by   item 0, which finds what they combine to in lane 0
 *   edge          lane barriers between the steps of the tree
 *   called by     every item of the group
 *   valid in      item 0, until the next group barrier
 *   progress      of the items of one group
 *   NaN policy    a NaN stays: a sum, minimum or maximum that meets one is NaN
 *   -0            a sum of nothing but -0 is -0; of 0 and -0 the minimum and the maximum are either, always
 *                 the same one */
#ifndef PERDURE_SYNC_REDUCTION_H
#define PERDURE_SYNC_REDUCTION_H

#include "sync/tree_sum.h"

enum { REDUCE_SUM = 0, REDUCE_MIN = 1, REDUCE_MAX = 2, REDUCE_DOT = 3 };

FUNCTION double smaller(double a, double b) {
    return a < b || a != a ? a : b;
}

/* What changes no other value: -0 for sums, and what stands for nothing at all. */
FUNCTION double reduce_identity(uint32 operation) {
    return operation == REDUCE_MIN   ? (double)INFINITY
           : operation == REDUCE_MAX ? -(double)INFINITY
                                     : -(double)0.0;
}

FUNCTION double reduce_two(uint32 operation, double a, double b) {
    return operation == REDUCE_MIN ? smaller(a, b) : operation == REDUCE_MAX ? larger(a, b) : a + b;
}

/* Combines the first `width` lanes (a power of two) pairwise, stride width/2 down to 1, into lanes[0]. */
FUNCTION void tree_reduce(uint32 operation, LOCAL double *lanes, uint32 width) {
    for (uint32 stride = width / 2u; stride > 0u; stride /= 2u) {
        lane_barrier(stride);
        for (uint32 lane = item_index(); lane < stride; lane += group_size()) {
            lanes[lane] = reduce_two(operation, lanes[lane], lanes[lane + stride]);
        }
    }
}

#endif
