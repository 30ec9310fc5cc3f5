/* The reductions over arrays of sync/grid_reduce.h and sync/grid_arg_max.h, one a launch, in both spellings of
 * the ticket; what they leave is read by the host.
 *
 * `variant` is REDUCE_...; REDUCE_DOT multiplies with `other`. Not in a loop with a grid barrier: in groups of
 * several items PoCL 3.1 then loses the ticket. */
#ifndef PERDURE_KERNELS_EXPERIMENTS_ARRAY_REDUCE_CHECK_H
#define PERDURE_KERNELS_EXPERIMENTS_ARRAY_REDUCE_CHECK_H

#include "kernels/parameters.h"
#include "sync/grid_arg_max.h"

WIDE_KERNEL void array_reduce_check(PARAMETERS parameters, GLOBAL control_t *control,
                                    GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state, GLOBAL double *array,
                                    GLOBAL double *other, GLOBAL double *partials, GLOBAL double *result) {
    LOCAL_MEMORY double lanes[LANES];
    LOCAL_MEMORY uint32 verdict;
    (void)control;
    (void)state;
    grid_reduce(parameters.variant, TICKET_ACQ_REL, array, other, parameters.elements, partials, result, sync,
                lanes, &verdict);
}

WIDE_KERNEL void array_reduce_check_fence(PARAMETERS parameters, GLOBAL control_t *control,
                                          GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                          GLOBAL double *array, GLOBAL double *other, GLOBAL double *partials,
                                          GLOBAL double *result) {
    LOCAL_MEMORY double lanes[LANES];
    LOCAL_MEMORY uint32 verdict;
    (void)control;
    (void)state;
    grid_reduce(parameters.variant, TICKET_FENCE, array, other, parameters.elements, partials, result, sync,
                lanes, &verdict);
}

WIDE_KERNEL void arg_max_check(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                               GLOBAL run_state_t *state, GLOBAL double *array, GLOBAL double *partials,
                               GLOBAL uint64 *partial_indices, GLOBAL double *result, GLOBAL uint64 *index) {
    LOCAL_MEMORY double lanes[LANES];
    LOCAL_MEMORY uint64 index_lanes[LANES];
    LOCAL_MEMORY uint32 verdict;
    (void)control;
    (void)state;
    grid_arg_max(TICKET_ACQ_REL, array, parameters.elements, partials, partial_indices, result, index, sync,
                 lanes, index_lanes, &verdict);
}

WIDE_KERNEL void arg_max_check_fence(PARAMETERS parameters, GLOBAL control_t *control,
                                     GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                     GLOBAL double *array, GLOBAL double *partials,
                                     GLOBAL uint64 *partial_indices, GLOBAL double *result,
                                     GLOBAL uint64 *index) {
    LOCAL_MEMORY double lanes[LANES];
    LOCAL_MEMORY uint64 index_lanes[LANES];
    LOCAL_MEMORY uint32 verdict;
    (void)control;
    (void)state;
    grid_arg_max(TICKET_FENCE, array, parameters.elements, partials, partial_indices, result, index, sync,
                 lanes, index_lanes, &verdict);
}

#endif
