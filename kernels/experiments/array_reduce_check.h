/* The reductions over arrays of sync/grid_reduce.h and sync/grid_arg_max.h, in both spellings of the ticket.
 *
 *   for n = 0 ... rounds - 1: results[n] = reduction of the first elements - n of `array`; barrier
 *
 * `variant` is REDUCE_...; REDUCE_DOT multiplies with `other`. A kernel per spelling: PoCL loses its way where
 * it chooses between barriers at run time. */
#ifndef PERDURE_KERNELS_EXPERIMENTS_ARRAY_REDUCE_CHECK_H
#define PERDURE_KERNELS_EXPERIMENTS_ARRAY_REDUCE_CHECK_H

#include "kernels/parameters.h"
#include "sync/grid_arg_max.h"
#include "sync/grid_barrier.h"

FUNCTION void check_array_reduce(uint32 spelling, const run_parameters_t *parameters,
                                 GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state, GLOBAL double *array,
                                 GLOBAL double *other, GLOBAL double *partials, GLOBAL double *results,
                                 LOCAL double *lanes, LOCAL uint32 *verdict) {
    grid_barrier_t barrier = make_grid_barrier(BARRIER_GROUP_LEADER, sync, verdict, parameters->wait_limit);
    for (uint32 n = 0; n < parameters->rounds; ++n) {
        grid_reduce(parameters->variant, spelling, array, other, parameters->elements - n, partials,
                    results + n, sync, lanes, verdict);
        if (!grid_barrier(&barrier, n + 1u)) {
            return;
        }
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->stop = STOP_COMPLETE;
    }
}

WIDE_KERNEL void array_reduce_check(PARAMETERS parameters, GLOBAL control_t *control,
                                    GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state, GLOBAL double *array,
                                    GLOBAL double *other, GLOBAL double *partials, GLOBAL double *results) {
    LOCAL double lanes[LANES];
    LOCAL uint32 verdict;
    (void)control;
    check_array_reduce(TICKET_ACQ_REL, &parameters, sync, state, array, other, partials, results, lanes,
                       &verdict);
}

WIDE_KERNEL void array_reduce_check_fence(PARAMETERS parameters, GLOBAL control_t *control,
                                          GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                          GLOBAL double *array, GLOBAL double *other, GLOBAL double *partials,
                                          GLOBAL double *results) {
    LOCAL double lanes[LANES];
    LOCAL uint32 verdict;
    (void)control;
    check_array_reduce(TICKET_FENCE, &parameters, sync, state, array, other, partials, results, lanes,
                       &verdict);
}

typedef struct {
    GLOBAL double *array;
    GLOBAL double *partials;
    GLOBAL uint64 *partial_indices;
    GLOBAL double *results;
    GLOBAL uint64 *indices;
    LOCAL double *lanes;
    LOCAL uint64 *index_lanes;
    LOCAL uint32 *verdict;
} arg_max_memory_t;

FUNCTION void check_arg_max(uint32 spelling, const run_parameters_t *parameters, GLOBAL grid_sync_t *sync,
                            GLOBAL run_state_t *state, const arg_max_memory_t *of) {
    grid_barrier_t barrier =
        make_grid_barrier(BARRIER_GROUP_LEADER, sync, of->verdict, parameters->wait_limit);
    for (uint32 n = 0; n < parameters->rounds; ++n) {
        grid_arg_max(spelling, of->array, parameters->elements - n, of->partials, of->partial_indices,
                     of->results + n, of->indices + n, sync, of->lanes, of->index_lanes, of->verdict);
        if (!grid_barrier(&barrier, n + 1u)) {
            return;
        }
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->stop = STOP_COMPLETE;
    }
}

WIDE_KERNEL void arg_max_check(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                               GLOBAL run_state_t *state, GLOBAL double *array, GLOBAL double *partials,
                               GLOBAL uint64 *partial_indices, GLOBAL double *results,
                               GLOBAL uint64 *indices) {
    LOCAL double lanes[LANES];
    LOCAL uint64 index_lanes[LANES];
    LOCAL uint32 verdict;
    const arg_max_memory_t of = {array,   partials, partial_indices, results,
                                 indices, lanes,    index_lanes,     &verdict};
    (void)control;
    check_arg_max(TICKET_ACQ_REL, &parameters, sync, state, &of);
}

WIDE_KERNEL void arg_max_check_fence(PARAMETERS parameters, GLOBAL control_t *control,
                                     GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                     GLOBAL double *array, GLOBAL double *partials,
                                     GLOBAL uint64 *partial_indices, GLOBAL double *results,
                                     GLOBAL uint64 *indices) {
    LOCAL double lanes[LANES];
    LOCAL uint64 index_lanes[LANES];
    LOCAL uint32 verdict;
    const arg_max_memory_t of = {array,   partials, partial_indices, results,
                                 indices, lanes,    index_lanes,     &verdict};
    (void)control;
    check_arg_max(TICKET_FENCE, &parameters, sync, state, &of);
}

#endif
