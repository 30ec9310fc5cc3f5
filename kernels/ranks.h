/* What a run takes from other processes that share its case (solver/ranks). Host threads alone have them: elsewhere these functions do nothing.
 *
 * Each rank has a state of its own and decides as all others do, because it decides from the same values:
 *
 *   behind each phase                      values of cells near its part, which other ranks have changed
 *   behind a step on a level of multigrid  the same of what the step writes, where ranks have parts of the level: about the same part of each
 *                                          of the first levels. Others are small or solved directly: every rank computes all of them, in the
 *                                          same order, once it has the whole right-hand side
 *   behind the last group of a reduction   partial sums of all chunks; the smallest slack, the first cell that is not finite, the largest
 *                                          values looked for, and whether any rank was asked to stop
 *
 *   publishes     every write of every group of a rank before its barrier
 *   observed by   every group of the other ranks behind it, in the cells near its part
 *   edge          the message between two ranks; within a rank the barriers before and behind it
 *   called by     meet_other_ranks() by every item of every group, the others by the last group; a group of host threads is one item */
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
    int64 words[6] = {state->control.slack,          (int64)state->control.bad_cell,
                      (int64)state->steps.bad_field, ~state->steps.largest[0],
                      ~state->steps.largest[1],      ~(int64)is_asked_here(parameters, control)};
    perdure_rank->share_least(perdure_rank, words, 6u);
    state->control.slack = words[0];
    state->control.bad_cell = (uint32)words[1];
    state->steps.bad_field = (uint32)words[2];
    state->steps.largest[0] = ~words[3];
    state->steps.largest[1] = ~words[4];
    perdure_rank->stop_request = (uint32)~words[5];
}

FUNCTION uint32 stop_request_of_ranks(const run_parameters_t *parameters, control_t *control) {
    return perdure_rank ? perdure_rank->stop_request : is_asked_here(parameters, control);
}

/* Rows of values that each rank has for its chunks. */
FUNCTION void share_values_of_chunks(sum_t *values, uint32 rows) {
    if (perdure_rank) {
        perdure_rank->share_rows(perdure_rank, values, rows);
    }
}

/* Values that one rank has; the others have left them at zero. */
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

/* A statement that makes a step on a level of a multigrid hierarchy: by the groups of all ranks, each its part, or by those of each rank for
 * itself, which then knows no others. */
#define WITH_RANKS_OF_LEVEL(step, statement)                                                      \
    do {                                                                                          \
        rank_context_t *const rank_of_run = perdure_rank;                                         \
        if (rank_of_run && !rank_of_run->begin_step(rank_of_run, group_index(), (step).operation, \
                                                    (step).level, (step).to, (step).axis)) {      \
            perdure_rank = 0;                                                                     \
        }                                                                                         \
        statement;                                                                                \
        perdure_rank = rank_of_run;                                                               \
    } while (0)

/* Whether other ranks have parts of what this group works on. */
FUNCTION uint32 is_one_of_ranks(void) {
    return perdure_rank ? 1u : 0u;
}
#else
#define WITH_RANKS_OF_LEVEL(step, statement) statement
FUNCTION uint32 is_one_of_ranks(void) {
    return 0u;
}
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
