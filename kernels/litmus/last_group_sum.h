/* The last-block sum: every group stores `elements` partial values, and one group adds up those of all.
 *
 *   trial   one round        seen   a sum that contains an old value
 *
 *   SUM_ACQ_REL    ticket by an acq_rel read-modify-write; who draws the last one adds up
 *   SUM_FENCES     the classical spelling: fence, relaxed ticket, fence (__threadfence and atomicAdd)
 *   SUM_NO_FENCE   relaxed ticket alone: who is last is known, what the others wrote is not
 *   SUM_NO_TICKET  fences, and the group of the highest index takes itself for the last
 *
 * Values grow from round to round, so a sum is wrong exactly when one of its terms is old. Before they store
 * new values, all groups look at the old ones, as a solver does that uses the last step; and one group, each
 * time another, has more to do than the rest. */
#ifndef PERDURE_KERNELS_LITMUS_LAST_GROUP_SUM_H
#define PERDURE_KERNELS_LITMUS_LAST_GROUP_SUM_H

#include "kernels/litmus/counts.h"

#define LATE_STEPS 2000u

/* Item 0 of each group: 1 in the one that adds up. */
FUNCTION uint32 adds_up(GLOBAL grid_sync_t *sync, uint32 variant) {
    uint32 before = group_index();
    if (variant == SUM_ACQ_REL) {
        before = fetch_add_uint32(&sync->ticket, 1u, ORDER_ACQ_REL, SCOPE_DEVICE);
    } else if (variant == SUM_NO_FENCE) {
        before = fetch_add_uint32(&sync->ticket, 1u, ORDER_RELAXED, SCOPE_DEVICE);
    } else {
        fence(ORDER_ACQ_REL, SCOPE_DEVICE);
        if (variant == SUM_FENCES) {
            before = fetch_add_uint32(&sync->ticket, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
        fence(ORDER_ACQ_REL, SCOPE_DEVICE);
    }
    return before == group_count() - 1u;
}

/* words: `elements` values a group */
WIDE_KERNEL void litmus_last_group_sum(PARAMETERS parameters, GLOBAL control_t *control,
                                       GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                       GLOBAL litmus_counts_t *counts, GLOBAL uint32 *words) {
    LOCAL_MEMORY uint32 verdict;
    LOCAL_MEMORY uint32 last;
    LOCAL_MEMORY uint32 old;
    grid_barrier_t barrier = make_grid_barrier(parameters.barrier, sync, &verdict, parameters.wait_limit);
    const uint32 elements = parameters.elements;
    const uint32 all = group_count() * elements;
    GLOBAL uint32 *own = words + group_index() * elements;
    uint32 looked = 0;
    (void)control;
    (void)state;
    for (uint32 round = 1; round <= parameters.rounds; ++round) {
        if (!grid_barrier(&barrier, 2u * round)) {
            return;
        }
        for (uint32 i = item_index(); i < all; i += group_size()) {
            looked += words[i];
        }
        if (group_index() == round % group_count()) {
            for (uint32 i = 0; i < LATE_STEPS; ++i) {
                looked = next_number(looked);
            }
        }
        for (uint32 i = item_index(); i < elements; i += group_size()) {
            own[i] = round;
        }
        group_barrier();
        if (item_index() == 0u) {
            old = 0u;
            last = adds_up(sync, parameters.variant);
            if (last) {
                store_uint32(&sync->ticket, 0u, ORDER_RELAXED, SCOPE_DEVICE);
            }
        }
        group_barrier();
        if (last) {
            for (uint32 i = item_index(); i < all; i += group_size()) {
                if (words[i] != round) {
                    old = 1u; /* the same by whoever writes it */
                }
            }
        }
        group_barrier();
        if (item_index() == 0u && last) {
            count_trials(counts, 1u, old);
        }
        if (!grid_barrier(&barrier, 2u * round + 1u)) {
            return;
        }
    }
    force_computation(counts, looked);
}

#endif
