/* What a run takes from other processes that share its case (solver/ranks): host threads alone, on other devices a process is alone.
 *
 * Each rank has the whole run's state and decides as all others do, from the same values:
 *
 *   behind each phase                      cells near its part, as the ranks beside it have made them
 *   behind the last group of a reduction   partial sums of all chunks; the smallest slack and cell that is not finite, the largest
 *                                          values looked for, and whether a rank was asked to stop
 *
 *   publishes     every write of every group of a rank before its barrier, as far as other ranks read it
 *   observed by   every group of the other ranks behind it
 *   edge          the message between two ranks; within a rank the barriers before and behind it
 *   called by     every item of every group: meet_other_ranks(); of the last group: the others */
#ifndef PERDURE_KERNELS_RANKS_H
#define PERDURE_KERNELS_RANKS_H

#include "kernels/chunks.h"
#include "sync/atomic_float.h"
#include "sync/grid_barrier.h"

FUNCTION uint32 is_asked_here(const run_parameters_t *parameters, GLOBAL control_t *control) {
    return parameters->stop_request != 0u ||
                   load_uint32(&control->stop_request, ORDER_RELAXED, SCOPE_SYSTEM) != 0u
               ? 1u
               : 0u;
}

#if defined(VECTORISED)
FUNCTION uint32 meet_other_ranks(grid_barrier_t *barrier, uint32 phase) {
    if (!perdure_rank) {
        return 1u;
    }
    if (group_index() == 0u) {
        perdure_rank->share_cells(perdure_rank);
    }
    return grid_barrier(barrier, phase);
}

/* ~ turns the order round without leaving the range: the smallest of what is turned is the largest. */
FUNCTION void share_reduction(const run_parameters_t *parameters, control_t *control, run_state_t *state,
                              sum_t *partials, uint32 sums) {
    if (!perdure_rank) {
        return;
    }
    if (sums > 0u) {
        perdure_rank->share_rows(perdure_rank, partials, sums);
    }
    int64 words[5] = {state->control.slack, (int64)state->control.bad_cell, ~state->steps.largest[0],
                      ~state->steps.largest[1], ~(int64)is_asked_here(parameters, control)};
    perdure_rank->share_least(perdure_rank, words, 5u);
    state->control.slack = words[0];
    state->control.bad_cell = (uint32)words[1];
    state->steps.largest[0] = ~words[2];
    state->steps.largest[1] = ~words[3];
    perdure_rank->stop_request = (uint32)~words[4];
}

FUNCTION uint32 stop_request_of_ranks(const run_parameters_t *parameters, control_t *control) {
    return perdure_rank ? perdure_rank->stop_request : is_asked_here(parameters, control);
}

/* Item 0 of the last group: rows of values that each rank has for its chunks. */
FUNCTION void share_values_of_chunks(sum_t *values, uint32 rows) {
    if (perdure_rank) {
        perdure_rank->share_rows(perdure_rank, values, rows);
    }
}

/* The same of values that one rank alone has, the others have left at zero. */
FUNCTION void share_single_values(double *values, uint32 count) {
    if (perdure_rank) {
        perdure_rank->share_single(perdure_rank, values, count);
    }
}

/* Whether place `at` of `length` along the last axis is in the part of this rank. */
FUNCTION uint32 is_in_own_part(uint32 at, uint32 length) {
    return !perdure_rank ||
                   (at >= cut_of(length, perdure_rank->begin) && at < cut_of(length, perdure_rank->end))
               ? 1u
               : 0u;
}
#else
FUNCTION uint32 meet_other_ranks(grid_barrier_t *barrier, uint32 phase) {
    (void)barrier;
    (void)phase;
    return 1u;
}
FUNCTION void share_reduction(const run_parameters_t *parameters, GLOBAL control_t *control,
                              GLOBAL run_state_t *state, GLOBAL sum_t *partials, uint32 sums) {
    (void)parameters;
    (void)control;
    (void)state;
    (void)partials;
    (void)sums;
}
FUNCTION uint32 stop_request_of_ranks(const run_parameters_t *parameters, GLOBAL control_t *control) {
    return is_asked_here(parameters, control);
}
FUNCTION void share_values_of_chunks(GLOBAL sum_t *values, uint32 rows) {
    (void)values;
    (void)rows;
}
FUNCTION void share_single_values(GLOBAL double *values, uint32 count) {
    (void)values;
    (void)count;
}
FUNCTION uint32 is_in_own_part(uint32 at, uint32 length) {
    (void)at;
    (void)length;
    return 1u;
}
#endif

#endif
