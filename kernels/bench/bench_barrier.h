/* Rounds of a grid barrier, to be timed.
 *
 *   for n = 1 ... rounds:
 *       idle for up to `delay` steps, another number in every group and round
 *       every check_every-th round: each group stores a word
 *       barrier
 *       every check_every-th round: each group expects its neighbour's word
 *
 * Two copies of the words by turns, so one barrier a round is enough; first_phase differs from launch to
 * launch, so no word of an earlier one passes for a new one. Wrong values are counted in state->control.wrong.
 * bench_no_barrier: the same without barriers; nothing is expected. */
#ifndef PERDURE_KERNELS_BENCH_BARRIER_H
#define PERDURE_KERNELS_BENCH_BARRIER_H

#include "kernels/bench/variants.h"
#include "kernels/parameters.h"
#include "sync/grid_barrier.h"

/* The word of a group in round n, on a cache line of its own. */
FUNCTION uint32 ring_place(uint32 group, uint32 turn) {
    return ((turn & 1u) * group_count() + group) * WORDS_PER_LINE;
}

/* A chain of dependent multiplications: where it ends depends on every step. */
FUNCTION uint32 idle(uint32 seed, uint32 most) {
    const uint32 steps = multiply_high(seed, most);
    for (uint32 step = 0; step <= steps; ++step) {
        seed = seed * 1664525u + 1013904223u;
    }
    return seed;
}

FUNCTION void unsynchronised_rounds(const run_parameters_t *parameters, GLOBAL uint32 *ring, uint32 next) {
    const uint32 rounds = parameters->rounds;
    uint32 seed = group_index() * 2654435769u;
    for (uint32 n = 1; n <= rounds; ++n) {
        if (parameters->delay != 0u) {
            seed = idle(seed, parameters->delay);
        }
        store_uint32(ring + ring_place(group_index(), n), n + seed, ORDER_RELAXED, SCOPE_DEVICE);
        if (load_uint32(ring + ring_place(next, n), ORDER_RELAXED, SCOPE_DEVICE) == n + seed) {
            seed += 1u;
        }
    }
}

FUNCTION void barrier_rounds(uint32 kind, const run_parameters_t *parameters, GLOBAL grid_sync_t *sync,
                             GLOBAL run_state_t *state, GLOBAL uint32 *ring, LOCAL uint32 *verdict) {
    grid_barrier_t barrier = make_grid_barrier(kind, sync, verdict, parameters->wait_limit);
    const uint32 group = group_index();
    const uint32 next = group + 1u < group_count() ? group + 1u : 0u;
    const uint32 launch = parameters->first_phase;
    uint32 seed = group * 2654435769u;
    uint32 turn = 0;
    uint32 n = 1;
    while (n <= parameters->rounds) {
        const uint32 left = parameters->rounds - n;
        const uint32 plain = parameters->check_every - 1u < left ? parameters->check_every - 1u : left;
        for (uint32 k = 0; k < plain; ++k) {
            if (parameters->delay != 0u) {
                seed = idle(seed, parameters->delay);
            }
            if (!grid_barrier(&barrier, n + k)) {
                return;
            }
        }
        n += plain;
        if (item_index() == 0u) {
            ring[ring_place(group, turn)] = launch + n + group;
        }
        if (!grid_barrier(&barrier, n)) {
            return;
        }
        if (item_index() == 0u && ring[ring_place(next, turn)] != launch + n + next) {
            add_uint32(&state->control.wrong, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
        turn += 1u;
        n += 1u;
    }
    if (item_index() == 0u) {
        ring[ring_place(group, turn)] = seed;
    }
    if (group == 0u && item_index() == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

WIDE_KERNEL void bench_no_barrier(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                  GLOBAL run_state_t *state, GLOBAL uint32 *ring) {
    (void)control;
    (void)sync;
    (void)state;
    if (item_index() == 0u) {
        unsynchronised_rounds(&parameters, ring,
                              group_index() + 1u < group_count() ? group_index() + 1u : 0u);
    }
}

/* The kind chosen when compiled, and, as in solvers, at run time. */
#define BENCH_BARRIER(name, kind)                                                                     \
    WIDE_KERNEL void name(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync, \
                          GLOBAL run_state_t *state, GLOBAL uint32 *ring) {                           \
        LOCAL_MEMORY uint32 verdict;                                                                  \
        (void)control;                                                                                \
        barrier_rounds(kind, &parameters, sync, state, ring, &verdict);                               \
    }
BENCH_BARRIER(bench_group_leader, BARRIER_GROUP_LEADER)
BENCH_BARRIER(bench_all_items, BARRIER_ALL_ITEMS)
BENCH_BARRIER(bench_lock_free, BARRIER_LOCK_FREE)
BENCH_BARRIER(bench_tree, BARRIER_TREE)
BENCH_BARRIER(bench_cooperative, BARRIER_COOPERATIVE)
BENCH_BARRIER(bench_barrier, parameters.barrier)

#endif
