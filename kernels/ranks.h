/* What a run takes from other processes that share its case (solver/ranks): on host threads by functions of the host, on CUDA devices with
 * PERDURE_RANKS by kernels/device_ranks.h. Elsewhere these functions do nothing.
 *
 * Each rank has a state of its own and decides as all others do, because it decides from the same values:
 *
 *   behind each phase                      values of cells near its part, which other ranks have changed; between GPUs they may be under way
 *                                          while the phase still computes: kernels/cut_first.h
 *   behind a step on a level of multigrid  the same of what the step writes, where ranks have parts of the level: about the same part of each
 *                                          of the first levels. Others are small: every rank computes all of them, in the same order, once it
 *                                          has the whole right-hand side
 *   between transforms of such a level     from the planes of each rank to lines along the last axis, a part of every plane, and back
 *   behind the last group of a reduction   partial sums of all chunks; the smallest slack, the first cell that is not finite, the largest
 *                                          values looked for, and whether any rank was asked to stop
 *   behind a reduction that ends a row     values of all chunks of what is watched, and values at probes (kernels/watch.h)
 *
 *   publishes     every write of every group of a rank before its barrier
 *   observed by   every group of the other ranks behind it, in the cells near its part
 *   edge          the message between two ranks; within a rank the barriers before and behind it
 *   called by     meet_other_ranks() by every item of every group, the others by the last group; a group of host threads is one item */
#ifndef PERDURE_KERNELS_RANKS_H
#define PERDURE_KERNELS_RANKS_H

#include "kernels/chunks.h"
#include "kernels/cut_first.h"
#include "kernels/rank_place.h"
#include "sync/atomic_float.h"
#include "sync/grid_barrier.h"

FUNCTION uint32 is_asked_here(const run_parameters_t *parameters, GLOBAL control_t *control) {
    return parameters->stop_request != 0u ||
                   load_uint32(&control->stop_request, ORDER_RELAXED, SCOPE_SYSTEM) != 0u
               ? 1u
               : 0u;
}

/* What is shared as the smallest of all ranks. ~ turns the order round without leaving the range: the smallest of what is turned is the
 * largest. */
typedef struct {
    int64 least[RANK_WORDS_USED];
} found_by_rank_t;

FUNCTION found_by_rank_t found_here(const run_parameters_t *parameters, GLOBAL control_t *control,
                                    const GLOBAL run_state_t *state) {
    const found_by_rank_t found = {{state->control.slack, (int64)state->control.bad_cell,
                                    (int64)state->steps.bad_field, ~state->steps.largest[0],
                                    ~state->steps.largest[1], ~(int64)is_asked_here(parameters, control)}};
    return found;
}

/* Returns 1 where a rank was asked to stop. */
FUNCTION uint32 take_found(const found_by_rank_t *found, GLOBAL run_state_t *state) {
    state->control.slack = found->least[0];
    state->control.bad_cell = (uint32)found->least[1];
    state->steps.bad_field = (uint32)found->least[2];
    state->steps.largest[0] = ~found->least[3];
    state->steps.largest[1] = ~found->least[4];
    return (uint32)~found->least[5];
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

FUNCTION void meet_other_ranks_behind_launch(grid_barrier_t *barrier, uint32 phase) {
    (void)barrier; /* the host does, once it has ended */
    (void)phase;
}

FUNCTION void share_reduction(const run_parameters_t *parameters, control_t *control, run_state_t *state,
                              sum_t *partials, uint32 sums, grid_sync_t *sync) {
    (void)sync;
    if (!perdure_rank) {
        return;
    }
    if (sums > 0u) {
        perdure_rank->share_rows(perdure_rank, partials, sums);
    }
    found_by_rank_t found = found_here(parameters, control, state);
    perdure_rank->share_least(perdure_rank, found.least, RANK_WORDS_USED);
    perdure_rank->stop_request = take_found(&found, state);
}

FUNCTION uint32 stop_request_of_ranks(const run_parameters_t *parameters, control_t *control) {
    return perdure_rank ? perdure_rank->stop_request : is_asked_here(parameters, control);
}

/* Rows of values that each rank has for its chunks. */
FUNCTION void share_values_of_chunks(const run_parameters_t *parameters, const run_state_t *state,
                                     sum_t *values, uint32 rows, grid_sync_t *sync) {
    (void)parameters;
    (void)state;
    (void)sync;
    if (perdure_rank) {
        perdure_rank->share_rows(perdure_rank, values, rows);
    }
}

/* Values that one rank has; the others have left them at zero. */
FUNCTION void share_single_values(const run_parameters_t *parameters, const run_state_t *state,
                                  double *values, uint32 count, grid_sync_t *sync) {
    (void)parameters;
    (void)state;
    (void)sync;
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
#define WITH_RANKS_OF_LEVEL(step, statement)                                                             \
    do {                                                                                                 \
        rank_context_t *const rank_of_run = perdure_rank;                                                \
        if (rank_of_run && !rank_of_run->begin_step(rank_of_run, group_index(), (step).operation,        \
                                                    (step).level, (step).to, (step).axis, (step).way)) { \
            perdure_rank = 0;                                                                            \
        }                                                                                                \
        statement;                                                                                       \
        perdure_rank = rank_of_run;                                                                      \
    } while (0)

/* Whether other ranks have parts of what this group works on. */
FUNCTION uint32 is_one_of_ranks(void) {
    return perdure_rank ? 1u : 0u;
}
#else
/* On devices a team knows whether ranks share what it works on: kernels/multigrid/team.h. Each computes all coefficients for itself. */
#define WITH_RANKS_OF_LEVEL(step, statement) statement
FUNCTION uint32 is_one_of_ranks(void) {
    return 0u;
}
#if defined(PERDURE_RANKS)
FUNCTION uint32 meet_other_ranks(grid_barrier_t *barrier, uint32 phase) {
    const uint64 changes = take_changes();
    if (changes == 0u) {
        return 1u;
    }
    const uint32 passed =
        share_cells_of_ranks(&perdure_ranks, changes, barrier->sync, barrier->verdict, phase, barrier->limit);
    return passed && grid_barrier(barrier, phase) ? 1u : 0u;
}
/* The groups that come last, whichever they are, send what is not sent yet. */
FUNCTION void meet_other_ranks_behind_launch(grid_barrier_t *barrier, uint32 phase) {
    (void)await_cells_sent_meanwhile(barrier, phase);
    group_barrier();
    const uint64 changes = take_changes();
    if (changes == 0u) {
        return;
    }
    GLOBAL last_groups_t *last = &counts_of(&perdure_ranks)->last;
    const uint32 place = await_all_groups(last, group_count(), RANK_SENDERS, barrier->verdict, barrier->sync,
                                          phase, barrier->limit);
    if (place == NOT_AMONG_LAST) {
        return;
    }
    send_cells(&perdure_ranks, changes, place, count_last_groups(group_count(), RANK_SENDERS));
    group_barrier();
    if (item_index() == 0u) {
        *barrier->verdict = leave_last_groups(last, group_count(), RANK_SENDERS);
    }
    group_barrier();
    if (*barrier->verdict) {
        await_cells(&perdure_ranks, changes, barrier->sync, phase, barrier->limit);
    }
}
/* Every item of the last group, behind what it sends in a reduction. */
FUNCTION void await_reduction(const run_parameters_t *parameters, GLOBAL const run_state_t *state,
                              GLOBAL grid_sync_t *sync) {
    await_sums(&perdure_ranks, sync, state->control.phases, parameters->wait_limit);
    group_barrier();
}
FUNCTION void share_reduction(const run_parameters_t *parameters, GLOBAL control_t *control,
                              GLOBAL run_state_t *state, GLOBAL sum_t *partials, uint32 sums,
                              GLOBAL grid_sync_t *sync) {
    found_by_rank_t found = found_here(parameters, control, state);
    if (item_index() == 0u) {
        write_words(&perdure_ranks, found.least);
    }
    send_sums(&perdure_ranks, parameters, partials, sums);
    await_reduction(parameters, state, sync);
    take_sums(&perdure_ranks, parameters, partials, sums);
    if (item_index() == 0u) {
        take_least(&perdure_ranks, found.least);
        counts_of(&perdure_ranks)->stop_request = take_found(&found, state);
    }
    end_sums(&perdure_ranks);
}
FUNCTION void share_values_of_chunks(const run_parameters_t *parameters, GLOBAL const run_state_t *state,
                                     GLOBAL sum_t *values, uint32 rows, GLOBAL grid_sync_t *sync) {
    if (rows > 0u) {
        send_sums(&perdure_ranks, parameters, values, rows);
        await_reduction(parameters, state, sync);
        take_sums(&perdure_ranks, parameters, values, rows);
        end_sums(&perdure_ranks);
    }
}
FUNCTION void share_single_values(const run_parameters_t *parameters, GLOBAL const run_state_t *state,
                                  GLOBAL double *values, uint32 count, GLOBAL grid_sync_t *sync) {
    if (count > 0u) {
        send_singles(&perdure_ranks, values, count);
        await_reduction(parameters, state, sync);
        take_singles(&perdure_ranks, values, count);
        end_sums(&perdure_ranks);
    }
}
FUNCTION uint32 is_in_own_part(uint32 at, uint32 length) {
    return at >= cut_of(length, perdure_ranks.begin) && at < cut_of(length, perdure_ranks.end) ? 1u : 0u;
}
FUNCTION uint32 stop_request_of_ranks(const run_parameters_t *parameters, GLOBAL control_t *control) {
    (void)parameters;
    (void)control;
    return counts_of(&perdure_ranks)->stop_request;
}
#else
FUNCTION uint32 meet_other_ranks(grid_barrier_t *barrier, uint32 phase) {
    (void)barrier;
    (void)phase;
    return 1u;
}
FUNCTION void meet_other_ranks_behind_launch(grid_barrier_t *barrier, uint32 phase) {
    (void)barrier;
    (void)phase;
}
FUNCTION void share_reduction(const run_parameters_t *parameters, GLOBAL control_t *control,
                              GLOBAL run_state_t *state, GLOBAL sum_t *partials, uint32 sums,
                              GLOBAL grid_sync_t *sync) {
    (void)parameters;
    (void)control;
    (void)state;
    (void)partials;
    (void)sums;
    (void)sync;
}
FUNCTION uint32 stop_request_of_ranks(const run_parameters_t *parameters, GLOBAL control_t *control) {
    return is_asked_here(parameters, control);
}
FUNCTION void share_values_of_chunks(const run_parameters_t *parameters, GLOBAL const run_state_t *state,
                                     GLOBAL sum_t *values, uint32 rows, GLOBAL grid_sync_t *sync) {
    (void)parameters;
    (void)state;
    (void)values;
    (void)rows;
    (void)sync;
}
FUNCTION void share_single_values(const run_parameters_t *parameters, GLOBAL const run_state_t *state,
                                  GLOBAL double *values, uint32 count, GLOBAL grid_sync_t *sync) {
    (void)parameters;
    (void)state;
    (void)values;
    (void)count;
    (void)sync;
}
FUNCTION uint32 is_in_own_part(uint32 at, uint32 length) {
    (void)at;
    (void)length;
    return 1u;
}
#endif
#endif

#endif
