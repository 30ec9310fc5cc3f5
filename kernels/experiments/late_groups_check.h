/* Barriers and halo exchanges of groups that come late, by chance.
 *
 *   for n = 1 ... rounds
 *       one round of four: the group waits up to `delay` units of wait_clock()
 *       exchange: item i hands a value on to item i of both neighbours on a ring, in plain memory, by flags
 *       barrier: the same for the group half a ring away, which on two devices is on the other one
 *
 * Wrong values are counted in state->control.wrong; passed[group] counts rounds. */
#ifndef PERDURE_KERNELS_EXPERIMENTS_LATE_GROUPS_CHECK_H
#define PERDURE_KERNELS_EXPERIMENTS_LATE_GROUPS_CHECK_H

#include "kernels/experiments/halo_check.h"
#include "sync/grid_barrier.h"

/* One item. */
FUNCTION void come_late(uint32 n, uint32 most) {
    const uint32 chance = ring_value(group_index(), 0u, n);
    if (most == 0u || chance % 4u != 0u) {
        return;
    }
    uint64 polls = 0;
    const uint64 begin = wait_clock(polls);
    for (uint64 now = begin; now - begin < chance % most; now = wait_clock(polls)) {
        polls += 1u;
    }
}

/* halos, far: [2][groups][items] */
WIDE_KERNEL void late_groups_check(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                   GLOBAL run_state_t *state, GLOBAL uint32 *halos, GLOBAL uint32 *far,
                                   GLOBAL uint32 *flags, GLOBAL uint32 *passed) {
    LOCAL_MEMORY uint32 neighbours[RING_EDGES];
    LOCAL_MEMORY uint32 opposite_edges[RING_EDGES];
    LOCAL_MEMORY uint32 verdict;
    LOCAL_MEMORY uint32 exchanged;
    const uint32 group = group_index();
    const uint32 half_way = (group + group_count() / 2u) % group_count();
    uint32 wrong = 0;
    (void)control;
    if (item_index() == 0u) {
        exchanged = 1u;
        join_ring(neighbours, opposite_edges);
    }
    group_barrier();
    grid_barrier_t barrier = make_grid_barrier(parameters.barrier, sync, &verdict, parameters.wait_limit);
    const halo_t halo =
        make_halo(flags, RING_EDGES, neighbours, opposite_edges, sync, &exchanged, parameters.wait_limit);
    for (uint32 n = 1; n <= parameters.rounds; ++n) {
        const uint32 copy = (n & 1u) * group_count() * group_size() + item_index();
        const uint32 value = ring_value(group, item_index(), n);
        if (item_index() == 0u) {
            come_late(n, parameters.delay);
        }
        halos[copy + group * group_size()] = value;
        if (!exchange_halo(&halo, n, n)) {
            return;
        }
        for (uint32 edge = 0; edge < RING_EDGES; ++edge) {
            const uint32 other = ring_neighbour(edge);
            wrong += halos[copy + other * group_size()] != ring_value(other, item_index(), n) ? 1u : 0u;
        }
        far[copy + group * group_size()] = value + 1u;
        if (!grid_barrier(&barrier, n)) {
            return;
        }
        wrong += far[copy + half_way * group_size()] != ring_value(half_way, item_index(), n) + 1u ? 1u : 0u;
        if (item_index() == 0u) {
            passed[group] = n;
        }
        group_barrier();
    }
    add_uint32(&state->control.wrong, wrong, ORDER_RELAXED, SCOPE_DEVICE);
}

#endif
