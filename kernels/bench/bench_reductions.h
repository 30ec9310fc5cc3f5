/* Rounds of reductions, to be timed.
 *
 *   bench_barrier_reduce   a double per group, the sum in every group, fused with the barrier
 *   bench_ticket_reduce    the same by the classical ticket and go flag, and with the ticket's other
 *                          spelling, ..._fence
 *   bench_array_sum        the sum of `elements` doubles by the last group, and a barrier that shows it to
 *                          all; ..._fence
 *   bench_array_launches   the same in two launches: ARRAY_PARTIALS, then ARRAY_FINISH
 *
 * Every group compares every sum with what it must be, exactly: all values are whole numbers, and differ from
 * round to round. What is wrong is counted in state->control.wrong. first_phase differs from launch to launch by
 * more than the rounds. */
#ifndef PERDURE_KERNELS_BENCH_REDUCTIONS_H
#define PERDURE_KERNELS_BENCH_REDUCTIONS_H

#include "kernels/bench/variants.h"
#include "kernels/parameters.h"
#include "sync/barrier_reduce.h"
#include "sync/barrier_reduce_classical.h"
#include "sync/grid_barrier.h"
#include "sync/grid_reduce.h"

/* What a group gives in round n, n + group, and the sum over all groups: the same step from round to round. */
typedef struct {
    double value;
    double sum;
} given_t;

FUNCTION given_t given_before_first_round(void) {
    const double groups = (double)group_count();
    given_t given;
    given.value = (double)group_index();
    given.sum = (double)0.5 * groups * (groups - (double)1);
    return given;
}

FUNCTION void give_next(given_t *given, double groups) {
    given->value += (double)1;
    given->sum += groups;
}

/* Of 0, 1, ... count - 1. */
FUNCTION double sum_of_range(uint32 count) {
    return (double)0.5 * (double)count * ((double)count - (double)1);
}

FUNCTION void expect_sum(GLOBAL run_state_t *state, double sum, double expected) {
    if (item_index() == 0u && sum != expected) {
        add_uint32(&state->control.wrong, 1u, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

/* Rounds take in all elements or all but one by turns, so that no sum passes for the next. */
FUNCTION uint32 elements_of_round(uint32 elements, uint32 n) {
    return elements - (n & 1u);
}

WIDE_KERNEL void bench_barrier_reduce(PARAMETERS parameters, GLOBAL control_t *control,
                                      GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                      GLOBAL double *rows) {
    LOCAL_MEMORY double lanes[REDUCE_LANES];
    LOCAL_MEMORY uint32 verdict;
    grid_barrier_t barrier = make_grid_barrier(parameters.barrier, sync, &verdict, parameters.wait_limit);
    const double groups = (double)group_count();
    given_t given = given_before_first_round();
    (void)control;
    for (uint32 n = 1; n <= parameters.rounds; ++n) {
        double sum = 0;
        give_next(&given, groups);
        if (!barrier_reduce(REDUCE_SUM, given.value, &sum, &barrier, rows, lanes, n, n)) {
            return;
        }
        expect_sum(state, sum, given.sum);
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

/* The spelling is a constant of each kernel: PoCL loses its way where it chooses between barriers at run
 * time. */
FUNCTION void ticket_rounds(uint32 spelling, const run_parameters_t *parameters, GLOBAL grid_sync_t *sync,
                            GLOBAL run_state_t *state, GLOBAL double *values, LOCAL double *lanes,
                            LOCAL uint32 *verdict) {
    grid_barrier_t barrier = make_grid_barrier(BARRIER_TREE, sync, verdict, parameters->wait_limit);
    const double groups = (double)group_count();
    given_t given = given_before_first_round();
    for (uint32 n = 1; n <= parameters->rounds; ++n) {
        double sum = 0;
        give_next(&given, groups);
        if (!barrier_reduce_classical(REDUCE_SUM, spelling, given.value, &sum, &barrier, values, lanes, n)) {
            return;
        }
        expect_sum(state, sum, given.sum);
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

WIDE_KERNEL void bench_ticket_reduce(PARAMETERS parameters, GLOBAL control_t *control,
                                     GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                     GLOBAL double *values) {
    LOCAL_MEMORY double lanes[REDUCE_LANES];
    LOCAL_MEMORY uint32 verdict;
    (void)control;
    ticket_rounds(TICKET_ACQ_REL, &parameters, sync, state, values, lanes, &verdict);
}

WIDE_KERNEL void bench_ticket_reduce_fence(PARAMETERS parameters, GLOBAL control_t *control,
                                           GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                           GLOBAL double *values) {
    LOCAL_MEMORY double lanes[REDUCE_LANES];
    LOCAL_MEMORY uint32 verdict;
    (void)control;
    ticket_rounds(TICKET_FENCE, &parameters, sync, state, values, lanes, &verdict);
}

FUNCTION void array_sum_rounds(uint32 spelling, const run_parameters_t *parameters, GLOBAL grid_sync_t *sync,
                               GLOBAL run_state_t *state, GLOBAL double *array, GLOBAL double *partials,
                               GLOBAL double *result, LOCAL double *lanes, LOCAL uint32 *verdict) {
    grid_barrier_t barrier = make_grid_barrier(BARRIER_GROUP_LEADER, sync, verdict, parameters->wait_limit);
    for (uint32 n = 1; n <= parameters->rounds; ++n) {
        const uint32 count = elements_of_round(parameters->elements, n);
        grid_reduce(REDUCE_SUM, spelling, array, array, count, partials, result, sync, lanes, verdict);
        if (!grid_barrier(&barrier, n)) {
            return;
        }
        expect_sum(state, *result, sum_of_range(count));
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

WIDE_KERNEL void bench_array_sum(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                 GLOBAL run_state_t *state, GLOBAL double *array, GLOBAL double *partials,
                                 GLOBAL double *result) {
    LOCAL_MEMORY double lanes[LANES];
    LOCAL_MEMORY uint32 verdict;
    (void)control;
    array_sum_rounds(TICKET_ACQ_REL, &parameters, sync, state, array, partials, result, lanes, &verdict);
}

WIDE_KERNEL void bench_array_sum_fence(PARAMETERS parameters, GLOBAL control_t *control,
                                       GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                       GLOBAL double *array, GLOBAL double *partials, GLOBAL double *result) {
    LOCAL_MEMORY double lanes[LANES];
    LOCAL_MEMORY uint32 verdict;
    (void)control;
    array_sum_rounds(TICKET_FENCE, &parameters, sync, state, array, partials, result, lanes, &verdict);
}

WIDE_KERNEL void bench_array_launches(PARAMETERS parameters, GLOBAL control_t *control,
                                      GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                      GLOBAL double *array, GLOBAL double *partials, GLOBAL double *result) {
    LOCAL_MEMORY double lanes[LANES];
    (void)control;
    (void)sync;
    (void)state;
    if (parameters.variant == ARRAY_PARTIALS) {
        reduce_partials(REDUCE_SUM, array, array, parameters.elements, partials, lanes);
    } else if (group_index() == 0u) {
        reduce_finish(REDUCE_SUM, partials, parameters.elements, result, lanes);
    }
}

#endif
