/* The fused barrier and reduction of sync/barrier_reduce.h, with every operation and kind of barrier.
 *
 *   for n = 1 ... rounds
 *       the last item of each group writes n + group in plain memory
 *       the group gives values[n - 1][group]
 *       every item compares the total with expected[n - 1], bit for bit, and reads what the next
 *       group wrote
 *
 * `variant` is REDUCE_..., `delay` a group that does not come, or NO_GROUP. passed[group] counts rounds; wrong
 * values are counted in state->control.wrong. */
#ifndef PERDURE_KERNELS_EXPERIMENTS_BARRIER_REDUCE_CHECK_H
#define PERDURE_KERNELS_EXPERIMENTS_BARRIER_REDUCE_CHECK_H

#include "kernels/experiments/check_words.h"
#include "kernels/parameters.h"
#include "sync/barrier_reduce.h"

/* told: [2][groups] */
WIDE_KERNEL void barrier_reduce_check(PARAMETERS parameters, GLOBAL control_t *control,
                                      GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                      GLOBAL double *rows, GLOBAL double *values, GLOBAL double *expected,
                                      GLOBAL uint32 *told, GLOBAL uint32 *passed) {
    LOCAL_MEMORY double lanes[REDUCE_LANES];
    LOCAL_MEMORY uint32 verdict;
    grid_barrier_t barrier = make_grid_barrier(parameters.barrier, sync, &verdict, parameters.wait_limit);
    const uint32 group = group_index();
    const uint32 next = group + 1u < group_count() ? group + 1u : 0u;
    const uint32 rounds = group == parameters.delay ? 0u : parameters.rounds;
    uint32 wrong = 0;
    (void)control;
    for (uint32 n = 1; n <= rounds; ++n) {
        GLOBAL uint32 *row = told + (n & 1u) * group_count();
        double total = 0;
        if (item_index() + 1u == group_size()) {
            row[group] = n + group;
        }
        if (!barrier_reduce(parameters.variant, values[(n - 1u) * group_count() + group], &total, &barrier,
                            rows, lanes, n, n)) {
            return;
        }
        wrong += is_same_double(total, expected[n - 1u]) && row[next] == n + next ? 0u : 1u;
        if (item_index() == 0u) {
            passed[group] = n;
        }
        group_barrier();
    }
    add_uint32(&state->control.wrong, wrong, ORDER_RELAXED, SCOPE_DEVICE);
}

#endif
