/* How values of cells come together in lanes: sums, minima and maxima. A NaN stays. */
#ifndef PERDURE_KERNELS_WATCH_LANES_H
#define PERDURE_KERNELS_WATCH_LANES_H

#include "kernels/run.h"
#include "kernels/watch_setup.h"

FUNCTION sum_t reduced(uint32 kind, sum_t a, sum_t b) {
    if (kind == REDUCE_SUM) {
        return a + b;
    }
    return kind == REDUCE_MAX ? larger(a, b) : -larger(-a, -b);
}

/* What a reduction begins with. */
FUNCTION sum_t nothing_reduced(uint32 kind) {
    return kind == REDUCE_SUM ? (sum_t)0 : kind == REDUCE_MAX ? (sum_t)-INFINITY : (sum_t)INFINITY;
}

FUNCTION void reduce_into_lane(const run_t *run, uint32 row, uint32 kind, index_t lane, double value) {
    LOCAL sum_t *all = run->lanes + (index_t)(row * LANES) + lane;
    *all = reduced(kind, *all, (sum_t)value);
}

#endif
