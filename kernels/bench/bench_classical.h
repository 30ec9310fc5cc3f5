/* The classical experiment: every element becomes the sum of itself and its two successors, again and again,
 * with a barrier between the reads and the writes and one between the writes and the next reads (Xiao and
 * Feng, IPDPS 2010, time barriers by such a loop).
 *
 *   for n = 1 ... rounds:
 *       sum = a[i] + a[i + 1] + a[i + 2]        indices modulo `elements`
 *       barrier
 *       a[i] = sum
 *       barrier
 *
 * In 32-bit integers that wrap around: all elements start equal and stay so, each 3^n times the first modulo
 * 2^32, and one item that reads too early or too late breaks that for good. The host looks at the end. An item
 * with more than one element keeps the sums of the others in memory. ROUNDS_UNSYNCHRONISED: the same without
 * barriers; the elements then differ. No return between that and the barriers: PoCL 5 gives up on it. */
#ifndef PERDURE_KERNELS_BENCH_CLASSICAL_H
#define PERDURE_KERNELS_BENCH_CLASSICAL_H

#include "kernels/bench/bench_barrier.h"

FUNCTION uint32 sum_of_three(GLOBAL uint32 *values, uint32 i, uint32 elements) {
    const uint32 second = i + 1u < elements ? i + 1u : 0u;
    const uint32 third = second + 1u < elements ? second + 1u : 0u;
    return values[i] + values[second] + values[third];
}

FUNCTION void unsynchronised_sums(GLOBAL uint32 *values, uint32 elements, uint32 rounds, uint32 i) {
    const uint32 second = i + 1u < elements ? i + 1u : 0u;
    const uint32 third = second + 1u < elements ? second + 1u : 0u;
    for (uint32 n = 0; n < rounds; ++n) {
        const uint32 sum = load_uint32(values + i, ORDER_RELAXED, SCOPE_DEVICE) +
                           load_uint32(values + second, ORDER_RELAXED, SCOPE_DEVICE) +
                           load_uint32(values + third, ORDER_RELAXED, SCOPE_DEVICE);
        store_uint32(values + i, sum, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

WIDE_KERNEL void bench_classical(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                 GLOBAL run_state_t *state, GLOBAL uint32 *values, GLOBAL uint32 *sums) {
    LOCAL_MEMORY uint32 verdict;
    const uint32 elements = parameters.elements;
    const uint32 items = group_count() * group_size();
    const uint32 first = group_index() * group_size() + item_index();
    const uint32 free_running = parameters.variant == ROUNDS_UNSYNCHRONISED ? parameters.rounds : 0u;
    const uint32 rounds = parameters.rounds - free_running;
    (void)control;
    for (uint32 i = first; i < elements; i += items) {
        unsynchronised_sums(values, elements, free_running, i);
    }
    grid_barrier_t barrier = make_grid_barrier(parameters.barrier, sync, &verdict, parameters.wait_limit);
    for (uint32 n = 1; n <= rounds; ++n) {
        const uint32 sum = first < elements ? sum_of_three(values, first, elements) : 0u;
        for (uint32 i = first + items; i < elements; i += items) {
            sums[i] = sum_of_three(values, i, elements);
        }
        if (!grid_barrier(&barrier, 2u * n - 1u)) {
            return;
        }
        if (first < elements) {
            values[first] = sum;
        }
        for (uint32 i = first + items; i < elements; i += items) {
            values[i] = sums[i];
        }
        if (!grid_barrier(&barrier, 2u * n)) {
            return;
        }
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

#endif
