/* Sums over all cells of a resident run of conjugate gradients, with a grid barrier between their two halves.
 *
 *   publishes     arrive: every write of every item before it, and the sums of the group
 *   observed by   await: every item of every group after it
 *   edge          that of sync/barrier_group_leader.h; within a group by the group barriers around it
 *   called by     every item of every group, `call` counting up by one
 *   valid in      the first warp after take: the sums over all groups
 *   progress      that of sync/grid_barrier.h
 *
 * Deterministic per plan: a warp adds pairwise, stride 16 down to 1, a group its warps and all their groups in a fixed
 * order. Every group finds the same bits, so what follows from the sums
 * alone needs no word from anybody. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_SUMS_H
#define PERDURE_KERNELS_RESIDENT_CG_SUMS_H

#include "kernels/resident/cg_plan.h"
#include "sync/barrier_reduce.h"

#if defined(__CUDACC__)
/* The shared memory that a launch asks for. */
#define SHARED_BYTES(name) extern __shared__ __align__(16) unsigned char name[]
#endif

typedef struct {
    double of[RESIDENT_SUMS];
} sums_t;

FUNCTION sums_t no_sums() {
    sums_t sums;
    for (uint32 s = 0; s < RESIDENT_SUMS; ++s) {
        sums.of[s] = 0.0;
    }
    return sums;
}

FUNCTION double from_lane_across(double value, uint32 stride) {
    return __shfl_xor_sync(0xffffffffu, value, stride);
}

/* Lane l of a warp gets the sum number l / 4: lanes pass on the half of their sums that is not theirs. */
FUNCTION double add_lanes(const sums_t &sums) {
    const uint32 lane = item_index() % 32u;
    double value[ROW_SUMS];
    for (uint32 s = 0; s < ROW_SUMS; ++s) {
        value[s] = s < RESIDENT_SUMS ? sums.of[s < RESIDENT_SUMS ? s : 0u] : 0.0;
    }
#pragma unroll
    for (uint32 half = ROW_SUMS / 2u; half > 0u; half /= 2u) {
        const bool upper = (lane & 4u * half) != 0u;
#pragma unroll
        for (uint32 s = 0; s < half; ++s) {
            const double other = upper ? value[s] : value[s + half];
            value[s] = (upper ? value[s + half] : value[s]) + from_lane_across(other, 4u * half);
        }
    }
    value[0] += from_lane_across(value[0], 2u);
    return value[0] + from_lane_across(value[0], 1u);
}

/* rows[2][groups][ROW_SUMS] */
FUNCTION double *sums_of_group(double *rows, uint32 call, uint32 group) {
    return rows + ((call & 1u) * group_count() + group) * ROW_SUMS;
}

/* warp_sums: ROW_SUMS for each warp of the group */
FUNCTION uint32 arrive_with_sums(const sums_t &sums, grid_barrier_t *barrier, double *rows, double *warp_sums,
                                 uint32 call, uint32 phase) {
    const uint32 lane = item_index() % 32u, row = lane / 4u, warps = group_size() / 32u;
    uint32 passed = 1u;
    const double of_warp = add_lanes(sums);
    if (lane % 4u == 0u) {
        warp_sums[item_index() / 32u * ROW_SUMS + row] = of_warp;
    }
    group_barrier();
    if (item_index() < 32u) {
        double of_group = 0.0;
        for (uint32 warp = lane % 4u; warp < warps; warp += 4u) {
            of_group += warp_sums[warp * ROW_SUMS + row];
        }
        of_group += from_lane_across(of_group, 2u);
        of_group += from_lane_across(of_group, 1u);
        if (lane % 4u == 0u) {
            sums_of_group(rows, call, group_index())[row] = of_group;
        }
        __syncwarp();
        if (lane == 0u) {
            passed = barrier_group_leader(barrier, phase);
        }
    }
    return group_verdict(barrier->verdict, passed);
}

/* The first warp, behind arrive_with_sums: every lane gets the sums of all groups. Lane l adds groups l, l + 32, ... in
 * this order; all loads are under way at once. */
FUNCTION sums_t take_sums(double *rows, uint32 call) {
    const uint32 groups = group_count();
    sums_t sums = no_sums();
    for (uint32 first = item_index(); first < groups; first += 32u * REDUCE_LOADS) {
        double2 values[REDUCE_LOADS][RESIDENT_SUMS / 2u];
#pragma unroll
        for (uint32 k = 0; k < REDUCE_LOADS; ++k) {
            const uint32 group = first + 32u * k;
            const double2 *row = (const double2 *)sums_of_group(rows, call, group < groups ? group : 0u);
#pragma unroll
            for (uint32 s = 0; s < RESIDENT_SUMS / 2u; ++s) {
                values[k][s] = row[s];
            }
        }
#pragma unroll
        for (uint32 k = 0; k < REDUCE_LOADS; ++k) {
            const bool there = first + 32u * k < groups;
#pragma unroll
            for (uint32 s = 0; s < RESIDENT_SUMS / 2u; ++s) {
                sums.of[2u * s] += there ? values[k][s].x : 0.0;
                sums.of[2u * s + 1u] += there ? values[k][s].y : 0.0;
            }
        }
    }
    __syncwarp();
    const double of_all = add_lanes(sums);
    for (uint32 s = 0; s < RESIDENT_SUMS; ++s) {
        sums.of[s] = __shfl_sync(0xffffffffu, of_all, 4u * s);
    }
    return sums;
}

#endif
