/* Sums and maxima over the lanes of one group by a fixed tree.
 *
 *   publishes     the lanes, through LOCAL memory
 *   observed by   item 0, which finds what they add up to in lane 0
 *   edge          lane barriers between the steps of the tree
 *   called by     every item of the group
 *   valid in      item 0, until the next group barrier
 *   progress      of the items of one group
 *   NaN policy    a NaN stays: sums and maxima that meet one are NaN
 *
 * Lane l holds the sum of the cells l, l + LANES, ... of a chunk; lanes are then added pairwise, stride LANES/2 down
 * to 1. The shape depends on LANES alone, so every device and every group size gives the same bits. */
#ifndef PERDURE_SYNC_TREE_SUM_H
#define PERDURE_SYNC_TREE_SUM_H

#include "sync/dialect.h"

FUNCTION double larger(double a, double b) {
    return a > b || a != a ? a : b;
}

/* lanes: `sums` rows of LANES; afterwards lanes[row * LANES] is the sum of that row. */
FUNCTION void tree_sum(LOCAL sum_t *lanes, uint32 sums) {
    for (uint32 stride = LANES / 2u; stride > 0u; stride /= 2u) {
        lane_barrier(stride);
        for (uint32 lane = item_index(); lane < stride; lane += group_size()) {
            for (uint32 row = 0; row < sums; ++row) {
                lanes[row * LANES + lane] += lanes[row * LANES + lane + stride];
            }
        }
    }
}

FUNCTION void tree_max(LOCAL sum_t *lanes) {
    for (uint32 stride = LANES / 2u; stride > 0u; stride /= 2u) {
        lane_barrier(stride);
        for (uint32 lane = item_index(); lane < stride; lane += group_size()) {
            lanes[lane] = larger(lanes[lane], lanes[lane + stride]);
        }
    }
}

#endif
