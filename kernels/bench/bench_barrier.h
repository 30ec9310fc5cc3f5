/* Rounds of a grid barrier, to be timed.
 *
 *   for n = 1 ... rounds: barrier; in every check_every-th round each group stores a word before the barrier
 * and expects its neighbour's behind it
 *
 * Two copies of the words by turns, so one barrier a round is enough. Wrong values are counted in
 * state->iteration. ROUNDS_UNSYNCHRONISED: the same stores and loads, relaxed, and no barrier; nothing is
 * expected. */
#ifndef PERDURE_KERNELS_BENCH_BARRIER_H
#define PERDURE_KERNELS_BENCH_BARRIER_H

#include "kernels/bench/variants.h"
#include "kernels/parameters.h"
#include "sync/grid_barrier.h"

/* The word of a group in round n, on a cache line of its own. */
FUNCTION uint32 ring_place(uint32 group, uint32 turn) {
    return ((turn & 1u) * group_count() + group) * WORDS_PER_LINE;
}

FUNCTION void unsynchronised_rounds(uint32 rounds, GLOBAL uint32 *ring, uint32 next) {
    for (uint32 n = 1; n <= rounds; ++n) {
        store_uint32(ring + ring_place(group_index(), n), n, ORDER_RELAXED, SCOPE_DEVICE);
        if (load_uint32(ring + ring_place(next, n), ORDER_RELAXED, SCOPE_DEVICE) > rounds) {
            return;
        }
    }
}

WIDE_KERNEL void bench_barrier(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                               GLOBAL run_state_t *state, GLOBAL uint32 *ring) {
    LOCAL uint32 verdict;
    const uint32 group = group_index();
    const uint32 next = group + 1u < group_count() ? group + 1u : 0u;
    const uint32 launch = parameters.first_phase;
    uint32 turn = 0;
    uint32 until_check = parameters.check_every;
    (void)control;
    if (parameters.variant == ROUNDS_UNSYNCHRONISED) {
        if (item_index() == 0u) {
            unsynchronised_rounds(parameters.rounds, ring, next);
        }
        return;
    }
    for (uint32 n = 1; n <= parameters.rounds; ++n) {
        until_check -= 1u;
        if (until_check == 0u && item_index() == 0u) {
            ring[ring_place(group, turn)] = launch + n + group;
        }
        if (!grid_barrier(parameters.barrier, sync, &verdict, n, parameters.wait_limit)) {
            return;
        }
        if (until_check == 0u) {
            if (item_index() == 0u && ring[ring_place(next, turn)] != launch + n + next) {
                add_uint32(&state->iteration, 1u, ORDER_RELAXED, SCOPE_DEVICE);
            }
            turn += 1u;
            until_check = parameters.check_every;
        }
    }
    if (group == 0u && item_index() == 0u) {
        state->stop = STOP_COMPLETE;
    }
}

#endif
